/**
 * Whether the classes can be told apart without fail. Where a variable, or the model as a whole, separates them, the
 * likelihood has no largest value: how large the effect is comes from the prior. With one value in common, as with an
 * indicator that is 1 in one class only, it is so on one side (quasi-complete separation).
 */

import { option } from "../wording.js";
import type { FitCheck } from "./fit-check.js";

interface Reach {
  least: number;
  most: number;
}

export function classCheck(names: readonly string[]): FitCheck {
  const reach = (): Reach => ({ least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY });
  const columns = names.map(() => ({ classes: [reach(), reach()], tally: new Tally() }));
  const model = [reach(), reach()];
  return {
    add({ count, y, eta, values }) {
      for (let i = 0; i < count && !overlap(model); i++) widen(model[y[i]], eta[i]);
      columns.forEach(({ classes, tally }, k) => {
        if (overlap(classes)) return;
        const own = values(k);
        for (let i = 0; i < count; i++) {
          widen(classes[y[i]], own[i]);
          tally.add(own[i]);
        }
      });
    },
    problems() {
      const apart = columns.flatMap(({ classes, tally }, k) => {
        const where = between(classes);
        return where ? [{ name: names[k], ...where, tally }] : [];
      });
      const oneSided = apart.filter(({ strict }) => !strict);
      const told = [
        ...apart.filter(({ strict }) => strict).map(({ name }) => separates(name)),
        ...(oneSided.length > 0 ? [quasi(oneSided)] : []),
      ];
      return told.length > 0 || !between(model)?.strict || names.length === 0 ? told : [together];
    },
  };
}

/** How many rows have which value, of a column with two. */
class Tally {
  private readonly values = [Number.NaN, Number.NaN];
  private readonly rows = [0, 0];
  private more = false;

  add(value: number): void {
    if (this.more) return;
    for (let i = 0; i < 2; i++) {
      if (this.rows[i] === 0) this.values[i] = value;
      if (this.values[i] !== value) continue;
      this.rows[i] += 1;
      return;
    }
    this.more = true;
  }

  /** The value that is not this one, and its rows; undefined where there are several. */
  other(than: number): { readonly value: number; readonly rows: number } | undefined {
    const i = this.values[0] === than ? 1 : 0;
    return this.more ? undefined : { value: this.values[i], rows: this.rows[i] };
  }
}

function widen(reach: Reach, value: number): void {
  if (value < reach.least) reach.least = value;
  if (value > reach.most) reach.most = value;
}

/** Whether each has values beyond some of the other's: no more rows can part them. */
const overlap = ([a, b]: readonly Reach[]): boolean => a.most > b.least && b.most > a.least;

interface Apart {
  /** Whether not even one value is common. */
  readonly strict: boolean;
  readonly common: number;
}

/** Where one class ends and the other begins; undefined where they overlap. */
function between([a, b]: readonly Reach[]): Apart | undefined {
  const [low, high] = a.most < b.most || (a.most === b.most && a.least < b.least) ? [a, b] : [b, a];
  if (!(low.most <= high.least) || low.least === high.most) return undefined;
  return { strict: low.most < high.least, common: high.least };
}

const separates = (name: string): string =>
  `${name} alone separates the classes without fail, so that the size of its effect comes from the prior. Check whether it is known only afterwards or a copy of the target; then leave it out with ${option("exclude")}.`;

/** At most so many are named. */
const NAMED = 5;

function quasi(columns: readonly (Apart & { readonly name: string; readonly tally: Tally })[]): string {
  const places = columns.slice(0, NAMED).map(oneClass);
  const more = columns.length > NAMED ? `, and so for ${columns.length - NAMED} more variables` : "";
  const [its, effect] = columns.length === 1 ? ["its", "effect"] : ["their", "effects"];
  return `Only one class occurs in ${places.join(", in ")}${more}: the direction of ${its} ${effect} is the data's, the size the prior's. Compare with ${option("slabVariance", 1)}.`;
}

function oneClass({ name, common, tally }: Apart & { name: string; tally: Tally }): string {
  const other = tally.other(common);
  return other
    ? `the ${other.rows === 1 ? "one row" : `${other.rows} rows`} where ${name} is ${figure(other.value)}`
    : `all rows where ${name} is not ${figure(common)}`;
}

const together = `The variables of the model together separate the classes without fail, so that the sizes of their effects come from the prior. More rows, or fewer variables (${option("maxSize")}), would tell them.`;

const figure = (value: number): number => Number(value.toPrecision(4));
