/** The options that few need, in the words of the command line's help. */

import { setup } from "../state/session.js";
import type { FitWishes } from "../state/setup.js";
import { Choice, NumberField, setFit } from "./option-fields.js";

/** Each with what holds unless something is said. */
export function MoreOptions() {
  const { fit } = setup.value;
  return (
    <div class="fields">
      <NumberField
        label="Variables expected"
        value={fit.expectedSize}
        placeholder="left to the data"
        onNumber={(expectedSize) => setFit({ expectedSize })}
      />
      <Choice
        label="Prior over models"
        value={fit.modelPrior ?? ""}
        choices={[
          ["", "beta-binomial (learned)"],
          ["inclusion", "a fixed probability for each"],
          ["uniform", "every model alike"],
        ]}
        onChoice={(value) => setFit({ modelPrior: (value || undefined) as FitWishes["modelPrior"] })}
      />
      <Choice
        label="Prior of effects"
        value={fit.slab ?? ""}
        choices={[
          ["", "independent"],
          ["zellner", "Zellner's g"],
        ]}
        onChoice={(value) => setFit({ slab: (value || undefined) as FitWishes["slab"] })}
      />
      <Choice
        label="Scale of effects"
        value={fit.scalePrior ?? ""}
        choices={[
          ["", "learned: hyper-g/n"],
          ["zellner-siow", "learned: Zellner–Siow"],
          ["hyper-g", "learned: hyper-g"],
          ["fixed", "fixed: what one row tells"],
        ]}
        onChoice={(value) => setFit({ scalePrior: (value || undefined) as FitWishes["scalePrior"] })}
      />
      <Choice
        label="Settings"
        value={fit.preset ?? "auto"}
        choices={[
          ["auto", "chosen from the data"],
          ["paper", "those of Song et al. (2020)"],
        ]}
        onChoice={(value) => setFit({ preset: value === "paper" ? "paper" : undefined })}
      />
      <NumberField
        label="Chains"
        value={fit.chains}
        placeholder="2"
        least={1}
        onNumber={(chains) => setFit({ chains })}
      />
      <NumberField
        label="Iterations"
        value={fit.iterations}
        placeholder="until they agree"
        least={1}
        onNumber={(iterations) => setFit({ iterations })}
      />
      <NumberField
        label="False-discovery rate"
        value={fit.fdr}
        placeholder="0.05"
        onNumber={(fdr) => setFit({ fdr })}
      />
      <NumberField
        label="Largest model"
        value={fit.maxSize}
        placeholder="300"
        least={1}
        onNumber={(maxSize) => setFit({ maxSize })}
      />
      <NumberField
        label="Threads"
        value={fit.threads}
        placeholder="all"
        least={1}
        onNumber={(threads) => setFit({ threads })}
      />
      <NumberField
        label="Seed"
        value={fit.seed}
        placeholder="1"
        onNumber={(seed) => setFit({ seed: seed ?? 1 })}
      />
    </div>
  );
}
