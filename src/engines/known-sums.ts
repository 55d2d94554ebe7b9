/** Sums over all rows that have been asked for: of stored numbers u, and of their products with one another. */
export class KnownSums {
  /** Columns of which all pairs are known. */
  crossed: ReadonlySet<number> = new Set();
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

  private place(a: number, b: number): number {
    return Math.min(a, b) * (this.columns + 1) + Math.max(a, b);
  }
}
