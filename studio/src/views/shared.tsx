import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { amount, count, probability } from "../parts/numbers.js";
import { go, route } from "../state/route.js";
import { expected } from "../state/session.js";
import { setupOf } from "../state/setup.js";
import { type Shared, unpacked } from "../state/share.js";

const when = new Intl.DateTimeFormat(undefined, { dateStyle: "long" });

/** What a link carries: an answer to look at, and settings for those who have the data. */
export function SharedView() {
  const found = useSignal<Shared | "broken" | undefined>(undefined);
  const { shared } = route.value;
  useEffect(() => {
    void unpacked(shared ?? "").then((opened) => {
      found.value = opened ?? "broken";
    });
  }, [shared, found]);
  if (found.value === undefined) return <p class="soft">One moment …</p>;
  if (found.value === "broken") {
    return (
      <div class="trouble" role="alert">
        <p>
          <strong>The link cannot be read.</strong> Part of it is missing; ask for it again.
        </p>
      </div>
    );
  }
  return <SharedAnswer shared={found.value} />;
}

function SharedAnswer({ shared }: { readonly shared: Shared }) {
  const doubt = !shared.verdict.startsWith("No problems");
  const [first, ...rest] = shared.verdict.split(/(?<=\.) /);
  const [, kind, sentence = shared.exactness] =
    /^(exact|estimated|approximate): (.*)$/s.exec(shared.exactness) ?? [];
  return (
    <article class="shared" data-part="shared">
      <p class="about">
        A shared answer · <bdi>{shared.name}</bdi> · {count(shared.rows, "row")} · {when.format(shared.when)}
      </p>
      <h1>{shared.headline}</h1>
      <div class={doubt ? "verdict doubt" : "verdict"}>
        <p>
          <strong>{first}</strong> {rest.join(" ")}
        </p>
        <p>
          {kind && <span class={`kind ${kind}`}>{kind}</span>} {sentence}
        </p>
      </div>
      <p class="note">
        A link holds a summary and settings, no data; whoever made it could have written anything into it.
        With the file itself you can see whether it gives the same.
      </p>
      <table class="stacked" style={{ "--cells": 3 }}>
        <thead>
          <tr>
            <th scope="col">variable</th>
            <th scope="col">probability</th>
            <th scope="col">effect</th>
            <th scope="col">95% interval</th>
          </tr>
        </thead>
        <tbody>
          {shared.variables.map(([name, pip, mean, lower, upper]) => (
            <tr key={name} class={pip > 0.5 ? "selected" : ""}>
              <td>
                <bdi>{name}</bdi>
              </td>
              <td>{probability(pip)}</td>
              <td>{amount(mean)}</td>
              <td>
                {amount(lower)} to {amount(upper)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shared.columns > shared.variables.length && (
        <p class="note">
          The {count(shared.variables.length, "variable")} of {shared.columns} that are most probable.
        </p>
      )}
      <h2>Fit it again</h2>
      <p>Open the same file, and it is fitted with the settings of this link.</p>
      <div class="buttons">
        <button
          type="button"
          class="primary"
          onClick={() => {
            expected.value = setupOf(shared.asked);
            go({ view: "open" });
          }}
        >
          Open the file with these settings
        </button>
      </div>
      <pre>{shared.command}</pre>
      <p class="note">
        Checksum of the data: <span class="mono">{shared.checksum}</span>
      </p>
    </article>
  );
}
