/** All that is known of one variable. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { amount, list, percent, probability } from "../parts/numbers.js";
import type { KeptRun } from "../state/past-runs.js";

interface Props {
  readonly run: KeptRun;
  readonly name: string;
  onClose(): void;
}

/** Models that are listed. */
const MODELS = 5;

export function VariableCard({ run, name, onClose }: Props) {
  const card = useRef<HTMLElement>(null);
  // The row that was picked may be a screen away.
  useEffect(() => card.current?.scrollIntoView({ block: "nearest" }), [name]);
  const { result, models } = run.run;
  const v = result.variables.find((variable) => variable.name === name);
  if (!v) return null;
  const set = result.credibleSets?.find(({ variables }) => variables.length > 1 && variables.includes(name));
  const prior = result.prior?.variables.find((variable) => variable.name === name);
  const at = models?.names.indexOf(name) ?? -1;
  const holding = models && at >= 0 ? models.models.filter((model) => model.variables.includes(at)) : [];
  const held = holding.reduce((sum, model) => sum + model.probability, 0);
  return (
    <aside class="card variable-card" aria-label={`About ${name}`} data-part="variable" ref={card}>
      <header>
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <button type="button" class="plain" onClick={onClose}>
          Close
        </button>
      </header>
      <dl>
        <Fact term="Probability">
          {probability(v.pip)}
          {v.pipError >= 0.0005 && ` ± ${v.pipError.toFixed(3)}`}, {v.selected ? "selected" : "not selected"}
        </Fact>
        <Fact term="Effect, averaged over models">
          {amount(v.mean)} ({amount(v.lower)} to {amount(v.upper)})
        </Fact>
        <Fact term="Effect if it is in">
          {amount(v.meanIfIncluded)} ({amount(v.lowerIfIncluded)} to {amount(v.upperIfIncluded)})
        </Fact>
        <Fact term={`That the effect is ${v.meanIfIncluded < 0 ? "negative" : "positive"}, if in`}>
          {probability(v.signProbability)}
        </Fact>
        {set && (
          <Fact term="Substitutes">
            {list(
              set.variables.filter((other) => other !== name),
              8,
            )}
            : at least one of them all is in with probability {probability(set.probability)}
          </Fact>
        )}
        {prior && (
          <Fact term="Under half or twice the prior odds">
            {[prior.halfOdds, prior.twiceOdds]
              .map((p) => (p === undefined ? "not known" : probability(p)))
              .join(" to ")}
            {prior.flips && ": its selection depends on the prior"}
          </Fact>
        )}
        {holding.length > 0 && models && (
          <Fact term="Likely models with it">
            {holding.slice(0, MODELS).map((model) => (
              <span class="model-line" key={model.variables.join()}>
                {percent(model.probability)}:{" "}
                {list(
                  model.variables.map((j) => models.names[j]),
                  5,
                )}
              </span>
            ))}
            {holding.length > MODELS && (
              <span class="model-line soft">
                {holding.length} listed models hold it, {percent(held)} together
              </span>
            )}
          </Fact>
        )}
      </dl>
    </aside>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd class="number">{children}</dd>
    </div>
  );
}
