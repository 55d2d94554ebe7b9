import { addressOf, route } from "../state/route.js";

interface Part {
  readonly id: string;
  readonly title: string;
}

/** Every part has its address. */
export function Contents({ parts, run }: { readonly parts: readonly Part[]; readonly run: string }) {
  const here = route.value.part ?? "verdict";
  return (
    <nav class="toc" aria-label="Parts of the answer">
      <ol>
        {parts.map(({ id, title }) => (
          <li key={id}>
            <a
              href={addressOf({ view: "read", run, part: id })}
              aria-current={id === here ? "true" : undefined}
            >
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
