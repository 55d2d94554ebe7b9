/**
 * The hot loops. Arguments called out, block, x, y, w, r, eta, d, panel, rows and values are byte offsets into
 * `memory` (multiples of 4, or of 8 where float64 is written); vectors are float32, row lists uint32, sums
 * float64. `n` counts elements. Products of a sum are float32, so columns should be within about 1e±15 of one;
 * only columnSums and blockSums serve the whole range of float32.
 */
export interface Kernels extends GlmKernels, SketchKernels, ColumnKernels, EntryKernels, PlaceKernels {
  readonly memory: WebAssembly.Memory;
  fill(out: number, value: number, n: number): void;
  /** out = x */
  copy(out: number, x: number, n: number): void;
  /** out = a·x + b */
  affine(out: number, a: number, b: number, x: number, n: number): void;
  /** out += a·x + b */
  affineAxpy(out: number, a: number, b: number, x: number, n: number): void;
  /** Σ (a·x + b)·r */
  affineDot(a: number, b: number, x: number, r: number, n: number): number;
  /** out = y − eta */
  residual(out: number, y: number, eta: number, n: number): void;
  /** Σ (y − eta)² */
  squaredError(eta: number, y: number, n: number): number;
  /** Σ d·(y − eta) − ½d² */
  gaussianChange(d: number, eta: number, y: number, n: number): number;
  /** out[0…3) += Σx, Σx², Σxy, in float64 */
  columnSums(out: number, x: number, y: number, n: number): void;
  /** out[3c…3c+3) += Σx, Σx², Σxy in float64, for the columns of a block `stride` elements apart */
  blockSums(out: number, block: number, columns: number, stride: number, y: number, n: number): void;
  /** Σx, with no care for digits: how fast memory can be read */
  readSum(x: number, n: number): number;
  /** out[c] += Σ x·panel_c in float64, for k panel columns `stride` elements apart. Centre the panel. */
  panelDots(out: number, x: number, panel: number, stride: number, k: number, n: number): void;
  /** panelDots of two columns at once: those of x go to out[0 … k), those of y to out[k … 2k) */
  tileDots(out: number, x: number, y: number, panel: number, stride: number, k: number, n: number): void;
  /** panelDots of all columns of a block, which lie `stride` elements apart, too: those of column j go to out[k·j … k·(j + 1)) */
  blockDots(
    out: number,
    block: number,
    columns: number,
    stride: number,
    panel: number,
    k: number,
    n: number,
  ): void;
  /** As panelDots, with every product and sum in float64 */
  exactDots(out: number, x: number, panel: number, stride: number, k: number, n: number): void;
  /**
   * out[c] += Σ x_c·r and out[k + c·k + d] += Σ x_c·x_d·w for c ≤ d in float64, for k panel columns `stride` elements apart;
   * what is below the diagonal means nothing. It works in so many float64 numbers at `room` as informationRoom says.
   */
  informationSums(
    out: number,
    panel: number,
    stride: number,
    k: number,
    w: number,
    r: number,
    n: number,
    room: number,
  ): void;
  informationRoom(k: number): number;
  /** Σ w·(x − center)² */
  weightedSquare(center: number, x: number, w: number, n: number): number;
  /**
   * out[3c…3c+3) += Σ(x − m)·r, Σ(x − m)·w and Σ(x − m)²·w in float64, for the columns x of a block `stride` elements
   * apart, whose centers m (float32) follow each other
   */
  weightedSums(
    out: number,
    block: number,
    columns: number,
    stride: number,
    centers: number,
    w: number,
    r: number,
    n: number,
  ): void;
  /** Σ w·|x|³ */
  weightedCube(x: number, w: number, n: number): number;
  /** The smallest of x; 0 where there is none */
  least(x: number, n: number): number;
  /** The largest of x; 0 where there is none */
  largest(x: number, n: number): number;
  /** out = x·w */
  product(out: number, x: number, w: number, n: number): void;
}

/** Numbers that are told where to go or where to come from. */
export interface PlaceKernels {
  /** out[i] = x[rows[i]] */
  gather(out: number, x: number, rows: number, n: number): void;
  /** out[0 … n) = a column that lies in blocks, as evenly cut as those of a layout, whose pieces are `step` bytes apart */
  joinBlocks(out: number, column: number, step: number, blocks: number, n: number): void;
  /** The same column, which becomes x[rows[0 … n)] */
  gatherBlocks(column: number, step: number, blocks: number, n: number, x: number, rows: number): void;
  /** out[rows[i]] += a·values[i] */
  scatterAxpy(out: number, a: number, rows: number, values: number, n: number): void;
  /** Σ values[i]·r[rows[i]] */
  gatherDot(rows: number, values: number, r: number, n: number): number;
}

/** A column on its way into a store. `out` may lie where x does. */
export interface ColumnKernels {
  /**
   * out = x − shift + 0. `state` is the sum of `out` so far, in float64 and in the order of rows, and behind it the low
   * and the high lane of the checksum of x (tables/checksum.ts).
   */
  settleFloats(out: number, x: number, shift: number, n: number, state: number): void;
  /** The same for x in float64 */
  settleDoubles(out: number, x: number, shift: number, n: number, state: number): void;
}

/**
 * Passes over sparse columns of a block: `count` of them that have entries, whose numbers `ids` (uint32) rise from `first`
 * on; the i-th has those from starts[i] to starts[i + 1] of `rows` and `values`.
 */
export interface EntryKernels {
  /** out[k(id − first) + c] += Σ values·r[rows, c] in float64, for k numbers c of every row, one row after the other */
  entryDots(
    out: number,
    ids: number,
    starts: number,
    rows: number,
    values: number,
    count: number,
    first: number,
    r: number,
    k: number,
  ): void;
  /** out[row, c] = panel_c[row], for k panel columns `stride` elements apart */
  turn(out: number, panel: number, stride: number, k: number, n: number): void;
  /** out[3(id − first) … + 3) += Σ values, Σ values² and Σ values·y[rows] in float64 */
  entrySums(
    out: number,
    ids: number,
    starts: number,
    rows: number,
    values: number,
    count: number,
    first: number,
    y: number,
  ): void;
  /** out[k(id − first) + parts[row]] += value·r[row] in float64, for every entry; `parts` are uint32 below k */
  entryParts(
    out: number,
    ids: number,
    starts: number,
    rows: number,
    values: number,
    count: number,
    first: number,
    r: number,
    parts: number,
    k: number,
  ): void;
}

/** Sketches of columns: how they are made, freed of a model, and compared with each other. */
export interface SketchKernels {
  /** out[s] += Σ x·r in float64 over the s-th of `count` stretches; `ends` (uint32) tells where each ends and the next begins */
  stretchDots(out: number, x: number, r: number, ends: number, count: number): void;
  /**
   * Products of int16 vectors x and y with the k columns of a panel, all of n elements; n is even, k a multiple of 16, and
   * no product beyond int32. Element i of column c is number 16n·⌊c/16⌋ + 32⌊i/2⌋ + 2(c mod 16) + i mod 2 of the panel:
   * sixteen columns lie together, two elements of each after two of all. For those at most `low` or at least `high` writes int32 pairs to
   * `out`: the place of the column (for y, k more) and the product, in no order. Returns how many they are.
   */
  farProducts(
    out: number,
    x: number,
    y: number,
    panel: number,
    k: number,
    n: number,
    low: number,
    high: number,
  ): number;
  /** out = the panel of `farProducts` from its k columns of n elements each, one after the other */
  weave(out: number, columns: number, k: number, n: number): void;
  /** x = a·x + Σ weights[c]·panel_c, all float64, for k panel columns one after the other; returns Σ x² */
  combine(x: number, a: number, panel: number, weights: number, k: number, n: number): number;
  /** out = x where a bit of `words` (uint32, one an element) is set, −x where it is not */
  flip(out: number, x: number, words: number, bit: number, n: number): void;
  /** out = a·x, from float64 */
  narrow(out: number, x: number, a: number, n: number): void;
  /** out = the integer nearest to a·x, even where there are two, as int16 */
  shorten(out: number, x: number, a: number, n: number): void;
}

/**
 * The families beyond the Gaussian, with canonical links, as functions of the linear predictor eta.
 * Nothing overflows: |eta| counts as at most 1e30, float32 means saturate at e^88 and float64 means at e^300,
 * so a hopeless eta costs a very large but finite amount. NaN stays NaN.
 */
export interface GlmKernels {
  /** out = exp(x), relative error at most 1e-7; saturates at e^−87.3 and e^88 */
  exp(out: number, x: number, n: number): void;
  /** out = log(1 + exp(x)), relative error at most 3e-7 */
  softplus(out: number, x: number, n: number): void;

  /** Σ y·eta − log(1 + exp(eta)) */
  binomialLogLikelihood(eta: number, y: number, n: number): number;
  /** out = y − mean */
  binomialScore(out: number, eta: number, y: number, n: number): void;
  /** out = mean·(1 − mean) */
  binomialWeights(out: number, eta: number, n: number): void;
  /** The log-likelihood at eta + d minus that at eta, row by row, to 6e-7·Σ|d| */
  binomialChange(d: number, eta: number, y: number, n: number): number;
  /**
   * out[0…6) += log-likelihood, g0, g1, h00, h01, h11 of the model eta = a + b·z, z = (x − center)·scale, where g
   * is the gradient in (a, b) and h the information (minus the Hessian), in float64.
   */
  binomialOneVariable(
    out: number,
    a: number,
    b: number,
    center: number,
    scale: number,
    x: number,
    y: number,
    n: number,
  ): void;

  /** Σ y·eta − exp(eta), without the log y! */
  poissonLogLikelihood(eta: number, y: number, n: number): number;
  /** out = y − mean, which saturates at e^44: products with columns, and sums of those, stay finite */
  poissonScore(out: number, eta: number, y: number, n: number): void;
  /** out = mean, which saturates as that of the score does */
  poissonWeights(out: number, eta: number, n: number): void;
  /** The log-likelihood at eta + d minus that at eta, row by row, to about 1e-15·Σ(y|d| + mean·(1 + e^d)) */
  poissonChange(d: number, eta: number, y: number, n: number): number;
  /** As binomialOneVariable */
  poissonOneVariable(
    out: number,
    a: number,
    b: number,
    center: number,
    scale: number,
    x: number,
    y: number,
    n: number,
  ): void;
}
