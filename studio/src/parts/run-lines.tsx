import { forget, type RunLine } from "../state/past-runs.js";
import { addressOf } from "../state/route.js";

const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function RunLines({ lines }: { readonly lines: readonly RunLine[] }) {
  return (
    <ul class="lines" data-part="runs">
      {lines.map((line) => (
        <li key={line.id}>
          <div class="what">
            <a href={addressOf({ view: "read", run: line.id })}>{line.name}</a>
            <span>{line.headline}</span>
          </div>
          <time dateTime={new Date(line.when).toISOString()}>{when.format(line.when)}</time>
          <button
            type="button"
            class="plain"
            data-action="forget"
            aria-label={`Delete the run of ${line.name}`}
            onClick={() => void forget(line.id)}
          >
            Delete
          </button>
        </li>
      ))}
    </ul>
  );
}
