/** The correlation of two columns over the rows that hold both, in one pass. */
export class CoMoment {
  private rows = 0;
  private readonly means = [0, 0];
  private readonly squares = [0, 0];
  private product = 0;

  look(a: ArrayLike<number>, b: ArrayLike<number>, rows: number): void {
    for (let i = 0; i < rows; i++) if (!Number.isNaN(a[i]) && !Number.isNaN(b[i])) this.take(a[i], b[i]);
  }

  private take(a: number, b: number): void {
    this.rows += 1;
    const away = a - this.means[0];
    const awayToo = b - this.means[1];
    this.means[0] += away / this.rows;
    this.means[1] += awayToo / this.rows;
    this.squares[0] += away * (a - this.means[0]);
    this.squares[1] += awayToo * (b - this.means[1]);
    this.product += away * (b - this.means[1]);
  }

  /** Absent where one of them does not vary. */
  get correlation(): number | undefined {
    const scale = Math.sqrt(this.squares[0]) * Math.sqrt(this.squares[1]);
    if (!(scale > 0) || !Number.isFinite(scale)) return undefined;
    return Math.max(-1, Math.min(1, this.product / scale));
  }
}
