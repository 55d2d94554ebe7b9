/** Substitutes that share an effect go by one letter and one colour, wherever they are on a page. */

import type { Result } from "../text/sentences.js";
import { html, type Markup } from "./markup.js";

export interface SetMark {
  readonly letter: string;
  /** A variable of the page, as all colours are. */
  readonly colour: string;
}

/** Colours that the style of the page has; further sets take them in turn, and are told apart by their letters. */
const COLOURS = 6;

export type Marked = ReadonlyMap<string, SetMark>;

export function setMarks({ credibleSets = [] }: Pick<Result, "credibleSets">): Marked {
  const sets = credibleSets.filter(({ variables }) => variables.length > 1);
  return new Map(sets.flatMap(({ variables }, i) => variables.map((name) => [name, markOf(i)] as const)));
}

function markOf(i: number): SetMark {
  const letter = i < 26 ? String.fromCharCode(65 + i) : `A${i - 25}`;
  return { letter, colour: `var(--set${(i % COLOURS) + 1})` };
}

/** The letter of a set before a name. */
export function badge(mark: SetMark | undefined): Markup | undefined {
  return (
    mark &&
    html`<span class="set" style="background:${mark.colour}" title="set ${mark.letter}">${mark.letter}</span>`
  );
}

/** A variable by its name, with the letter of its set. */
export function named(name: string, marked: Marked): Markup {
  return html`${badge(marked.get(name))}<bdi>${name}</bdi>`;
}
