/** Where rows were left out: for messages, that name the rows of the data. */
export class Gaps {
  /** Of every gap: the rows used before it, and how many are missing in it. */
  private readonly gaps: { readonly before: number; count: number }[] = [];

  /** A row after so many that are used. */
  leaveOut(before: number): void {
    const last = this.gaps.at(-1);
    if (last?.before === before) last.count += 1;
    else this.gaps.push({ before, count: 1 });
  }

  rowOf(i: number): number {
    return this.gaps.reduce((row, { before, count }) => row + (before <= i ? count : 0), i + 1);
  }
}
