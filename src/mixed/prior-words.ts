/** What the priors of the standard deviations are, in a sentence and in the units of the data. */

import { layoutOf, type MixedDesign } from "./model/chart.js";
import type { Standard } from "./standard.js";

/** So many are named one by one. */
const NAMED = 6;

export function priorWords({ scale }: Standard, design: MixedDesign): string {
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
      : spreadDegrees === 2
        ? "; correlations are uniform"
        : "; correlations by Huang and Wand";
  return (
    `half-t with ${spreadDegrees} degrees of freedom on every standard deviation, its scale ${times}that of the target over that ` +
    `of the column (${all}${random.length > NAMED ? ", …" : ""})${correlations}.`
  );
}

const short = (value: number): string => String(Number(value.toPrecision(3)));
