/** What the priors of the standard deviations are, in a sentence and in the units of the data. */

import { layoutOf, type MixedDesign } from "./model/chart.js";
import type { Standard } from "./standard.js";

/** So many are named one by one. */
const NAMED = 6;

/** `noise` is its standard deviation in the units of the data. */
export function priorWords({ scale }: Standard, design: MixedDesign, noise: number): string {
  const { priors, width, random } = layoutOf(design);
  if (priors.law === "inverse-wishart") {
    const { covarianceDegrees, covarianceScale, noiseDegrees, noiseScale } = priors;
    const scaled = scale.some((s) => s !== 1) ? ", of standardised columns" : "";
    return (
      `inverse-Wishart(${covarianceDegrees}, ${short(covarianceScale)}I) on the covariance of the effects over the noise variance, ` +
      `${short(noiseScale)}/χ² with ${noiseDegrees} degrees on that${scaled}. Standard deviations below a fifth of the noise are all but excluded.`
    );
  }
  const { spread, spreadDegrees } = priors;
  const own = (column: number): number => (spread * scale[width]) / scale[column];
  const named = random.slice(0, NAMED).map((j) => `${short(own(j))} for ${design.columns[j]}`);
  const all = [`${short(spread * scale[width])} for the noise`, ...named].join(", ");
  const times = spread === 1 ? "" : `${short(spread)} times `;
  const correlations =
    random.length < 2
      ? ""
      : priors.law === "half-t" && spreadDegrees === 2
        ? "; correlations are uniform"
        : "; correlations by Huang and Wand";
  const least = priors.resolutions.map(
    ({ unit }, k) => [design.columns[random[k]], (unit * noise) / scale[random[k]]] as const,
  );
  return (
    `${priors.law === "spike-and-slab" ? inOrOutWords(least) : ""}half-t with ${spreadDegrees} degrees of freedom on every standard deviation, its scale ${times}that of the target over that ` +
    `of the column (${all}${random.length > NAMED ? ", …" : ""})${correlations}.`
  );
}

/** What precedes half-t, from what the data can just tell from zero of every effect, in the units of the data. */
export function inOrOutWords(least: readonly (readonly [name: string, value: number])[]): string {
  const named = least.slice(0, NAMED).map(([name, value]) => `${short(value)} for ${name}`);
  return (
    "every effect is in or out: its standard deviation is practically zero, or it has Jeffreys' law from what the data can just " +
    `tell from zero on (${named.join(", ")}${least.length > NAMED ? ", …" : ""}); times `
  );
}

export const short = (value: number): string => String(Number(value.toPrecision(3)));
