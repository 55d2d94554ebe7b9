/** Where a text will be read: how wide it may be, and whether colours help. */

export interface Screen {
  readonly width: number;
  readonly ink: Ink;
}

/** Each leaves the text as it is where there are no colours. */
export interface Ink {
  strong(text: string): string;
  good(text: string): string;
  doubtful(text: string): string;
  faint(text: string): string;
}

const same = (text: string): string => text;
export const plain: Ink = { strong: same, good: same, doubtful: same, faint: same };

const wrap = (on: number, off: number) => (text: string) =>
  text === "" ? text : `\u001b[${on}m${text}\u001b[${off}m`;
export const coloured: Ink = {
  strong: wrap(1, 22),
  good: wrap(32, 39),
  doubtful: wrap(33, 39),
  faint: wrap(2, 22),
};

/** What a file or a pipe gets. */
export const paper: Screen = { width: 80, ink: plain };

const [NARROWEST, WIDEST] = [50, 200];

export function screenOf(width: number | undefined, colours: boolean): Screen {
  return {
    width: Math.min(WIDEST, Math.max(NARROWEST, width ?? paper.width)),
    ink: colours ? coloured : plain,
  };
}
