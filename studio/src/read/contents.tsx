import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { addressOf, route } from "../state/route.js";

interface Part {
  readonly id: string;
  readonly title: string;
}

/** A part is read from where its heading is this far from the top, in pixels. */
const READ_FROM = 180;

/** Every part has its address; the one that is read is marked, however the reader came there. */
export function Contents({ parts, run }: { readonly parts: readonly Part[]; readonly run: string }) {
  const here = useSignal(route.value.part ?? "verdict");
  useEffect(() => {
    let asked = 0;
    const look = (): void => {
      const passed = parts.filter(({ id }) => {
        const box = document.getElementById(`part-${id}`)?.getBoundingClientRect();
        return box !== undefined && box.top < READ_FROM;
      });
      here.value = passed.at(-1)?.id ?? "verdict";
    };
    const soon = (): void => {
      cancelAnimationFrame(asked);
      asked = requestAnimationFrame(look);
    };
    soon();
    addEventListener("scroll", soon, { passive: true });
    return () => {
      cancelAnimationFrame(asked);
      removeEventListener("scroll", soon);
    };
  }, [parts, here]);
  return (
    <nav class="toc" aria-label="Parts of the answer">
      <ol>
        {parts.map(({ id, title }) => (
          <li key={id}>
            <a
              href={addressOf({ view: "read", run, part: id })}
              aria-current={id === here.value ? "true" : undefined}
            >
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
