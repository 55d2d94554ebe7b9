import { useSignal } from "@preact/signals";
import type { CompareResult } from "sparrow-bayes/browser";
import { engine } from "../engine/chosen.js";
import { amount, list } from "../parts/numbers.js";
import { ProgressLine } from "../parts/progress.js";
import type { KeptRun } from "../state/past-runs.js";
import { stop, table, work, working } from "../state/session.js";
import { download, stemOf } from "./download.js";

/** What other methods select on the same data. */
export function CompareCard({ run }: { readonly run: KeptRun }) {
  const compared = useSignal<CompareResult | undefined>(undefined);
  const ready = table.value !== undefined && table.value.name === run.name;
  const compare = async (): Promise<void> => {
    const { target, family, exclude, seed, categorical, number, keep } = run.asked;
    const given = Object.entries({ target, family, exclude, seed, categorical, number, keep });
    const asked = Object.fromEntries(given.filter(([, value]) => value !== undefined));
    const missing = run.run.result.missing ? { missing: "mean" as const } : {};
    const found = await working("compare", "Comparing methods", (signal, onNews) =>
      engine.ask("compare", { options: { ...asked, target, ...missing } }, { signal, onNews }),
    );
    if (found) compared.value = found;
  };
  return (
    <section class="card wide-card" aria-labelledby="compare-title" data-part="compare">
      <h2 id="compare-title">Compare methods</h2>
      <p class="note">
        Reversible jump, split-and-merge, the Bayesian Lasso, Lasso, MCP and SCAD on the same data, with a
        fifth of the rows kept back to measure errors on.
      </p>
      {work.value?.kind === "compare" ? (
        <>
          <ProgressLine />
          <button type="button" onClick={stop}>
            Cancel
          </button>
        </>
      ) : (
        <div class="buttons">
          <button
            type="button"
            data-action="compare"
            disabled={!ready || work.value !== undefined}
            onClick={() => void compare()}
          >
            Compare
          </button>
          {!ready && <span class="note">Open the data again to compare on them.</span>}
        </div>
      )}
      {compared.value && <Compared compared={compared.value} stem={stemOf(run.name)} />}
    </section>
  );
}

/** What methods are called, by their names on the command line. */
const NAMES: Readonly<Record<string, string>> = {
  esgld: "Sparrow",
  rjmh: "Reversible jump",
  sam: "Split-and-merge",
  blasso: "Bayesian Lasso",
  lasso: "Lasso",
  mcp: "MCP",
  scad: "SCAD",
};

function Compared({ compared, stem }: { readonly compared: CompareResult; readonly stem: string }) {
  const page = async (): Promise<void> => {
    const { comparisonReport } = await import("../read/report.js");
    download(await comparisonReport(compared), `${stem}-comparison.html`, "text/html");
  };
  return (
    <div data-part="compared">
      <div class="scroll">
        <table class="stacked methods" style={{ "--cells": 3 }}>
          <thead>
            <tr>
              <th scope="col">method</th>
              <th scope="col" class="selects">
                selects
              </th>
              <th scope="col">error on rows kept back</th>
              <th scope="col">agreement with others</th>
              <th scope="col">seconds</th>
            </tr>
          </thead>
          <tbody>
            {compared.methods.map((one) => (
              <tr key={one.method} title={one.explanation}>
                <td>{NAMES[one.method] ?? one.method}</td>
                <td class="selects">
                  {one.failure ??
                    (one.selected?.length === 0
                      ? "nothing"
                      : list(one.selected?.map(({ name }) => name) ?? [], 10))}
                </td>
                <td>{one.holdoutError === undefined ? "" : amount(one.holdoutError)}</td>
                <td>{one.agreement === undefined ? "" : one.agreement.toFixed(2)}</td>
                <td>{one.seconds === undefined ? "" : one.seconds.toFixed(one.seconds < 0.95 ? 2 : 1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {compared.nullError !== undefined && (
        <p class="note">The constant prediction has an error of {amount(compared.nullError)}.</p>
      )}
      <button type="button" onClick={() => void page()}>
        Comparison (HTML)
      </button>
    </div>
  );
}
