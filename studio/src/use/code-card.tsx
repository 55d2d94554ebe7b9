import type { ExampleName } from "../engine/protocol.js";
import type { KeptRun } from "../state/past-runs.js";
import { CopyButton } from "./copy-button.js";

/** The same answer elsewhere, to be run again or put into a script. */
export function CodeCard({ run }: { readonly run: KeptRun }) {
  const making = run.from && MAKING[run.from];
  const { command, code } = run;
  return (
    <section class="card wide-card" aria-labelledby="code-title" data-part="code">
      <h2 id="code-title">The same elsewhere</h2>
      <p class="note">The same file, settings and seed give the same answer.</p>
      <div class="code-head">
        <h3>In a terminal</h3>
        <CopyButton text={command} words="Copy" />
      </div>
      <pre data-part="command">{making ? `${making}\n${command}` : command}</pre>
      <div class="code-head">
        <h3>In a program</h3>
        <CopyButton text={code} words="Copy" />
      </div>
      <pre>{code}</pre>
    </section>
  );
}

/** How the data of the gallery are made elsewhere. */
const MAKING: Readonly<Partial<Record<ExampleName, string>>> = {
  classes: "sparrow simulate logistic --rows 2000 --columns 40 --seed 1 --out classes.csv",
  counts: "sparrow simulate poisson --rows 1500 --columns 40 --seed 1 --out counts.csv",
  table1: "sparrow simulate linear --rows 50000 --columns 2000 --seed 1 --out table1.csv",
};
