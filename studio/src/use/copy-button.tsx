import { useSignal } from "@preact/signals";

export function CopyButton({ text, words }: { readonly text: string; readonly words: string }) {
  const done = useSignal(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      done.value = true;
      setTimeout(() => {
        done.value = false;
      }, 2000);
    } catch {
      // A browser that refuses leaves the text to be selected by hand.
    }
  };
  return (
    <button type="button" data-action="copy" onClick={() => void copy()}>
      <span aria-live="polite">{done.value ? "Copied" : words}</span>
    </button>
  );
}
