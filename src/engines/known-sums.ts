/** Sums over all rows that have been asked for: of stored numbers u, and of their products with one another. */
export class KnownSums {
  /** Of a row, on average, at the last place where it was asked for. */
  logLikelihood = 0;
  private readonly sums = new Map<number, number>();
  private readonly products = new Map<number, number>();

  /** The target is number `columns`. */
  constructor(private readonly columns: number) {}

  sum(j: number): number | undefined {
    return this.sums.get(j);
  }

  setSum(j: number, value: number): void {
    this.sums.set(j, value);
  }

  product(a: number, b: number): number | undefined {
    return this.products.get(this.place(a, b));
  }

  setProduct(a: number, b: number, value: number): void {
    this.products.set(this.place(a, b), value);
  }

  /** Some of the columns of which all pairs are known, and the others. */
  parted(columns: readonly number[]): { readonly old: readonly number[]; readonly fresh: readonly number[] } {
    const old: number[] = [];
    const fresh: number[] = [];
    const pairs = new Map(
      columns.map((j) => [j, columns.filter((other) => this.product(other, j) !== undefined).length]),
    );
    // A newcomer that came first would make strangers of all others.
    for (const j of [...columns].sort((a, b) => pairs.get(b)! - pairs.get(a)!)) {
      const isKnown = [...old, j].every((other) => this.product(other, j) !== undefined);
      (isKnown ? old : fresh).push(j);
    }
    return { old, fresh };
  }

  private place(a: number, b: number): number {
    return Math.min(a, b) * (this.columns + 1) + Math.max(a, b);
  }
}
