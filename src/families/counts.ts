/**
 * Whether whole numbers are counts, which a Poisson model explains, or measurements and scores that happen to be
 * whole. Counts whose means differ are a mixture of Poisson laws: they start at 0, most are small, their variance is
 * at least their mean, they lean to the right (skewness 1/√mean for one Poisson law) and no largest value piles up.
 * Ages, years and prices fail the second, ratings and grades the third to fifth. Where there is doubt the answer is
 * no: a Gaussian model is the milder mistake.
 */
export class CountEvidence {
  private n = 0;
  private readonly sums = [0, 0, 0];
  /** Rows with the values 0 … SMALL − 1. */
  private readonly small = new Float64Array(SMALL);
  private most = 0;
  private withMost = 0;

  /** Takes a whole number that is not negative, of so many rows. */
  look(value: number, rows = 1): void {
    this.n += rows;
    this.sums[0] += rows * value;
    this.sums[1] += rows * value * value;
    this.sums[2] += rows * value * value * value;
    if (value < SMALL) this.small[value] += rows;
    if (value > this.most) {
      this.most = value;
      this.withMost = 0;
    }
    if (value === this.most) this.withMost += rows;
  }

  get areCounts(): boolean {
    const { n, small } = this;
    const [mean, square, cube] = this.sums.map((sum) => sum / n);
    const variance = square - mean * mean;
    const skewness = (cube - 3 * mean * square + 2 * mean ** 3) / variance ** 1.5;
    return (
      small[0] > 0 &&
      small[1] > 0 &&
      small[2] > 0 &&
      this.most > 2 &&
      small.reduce((sum, rows) => sum + rows) >= n / 2 &&
      // The sample variance of a Poisson law has a relative standard error of √(2/n) at least.
      variance >= mean * (1 - 3 * Math.sqrt(2 / n)) &&
      skewness >= 0.5 / Math.sqrt(mean) &&
      this.withMost < n / 20
    );
  }
}

/** Half of the rows must hold values below this. */
const SMALL = 10;
