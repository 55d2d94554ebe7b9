/** The kernels of chains over models, and of rows one by one: numbers in, and places where others lie in their memory. */
export interface ChainKernels {
  /** See kernels/dense.ts. */
  factoriseDense(a: number, stride: number, n: number, least: number, sums: number): number;
  solveDense(x: number, lower: number, stride: number, n: number, sums: number): void;
  multiplyDense(out: number, x: number, y: number, stride: number, n: number, sums: number): void;
  squareDense(out: number, x: number, stride: number, n: number, sums: number): void;
  lessSquareDense(a: number, stride: number, t: number, n: number, share: number): void;
  /** See kernels/factor.ts. */
  subtractRows(
    to: number,
    rows: number,
    stride: number,
    count: number,
    column: number,
    first: number,
    end: number,
  ): void;
  factorRows(rows: number, gram: number, stride: number, k: number, ridge: number, least: number): void;
  rotateRows(upper: number, stride: number, column: number): void;
  /** See kernels/fit-moments.ts. */
  fitMoments(state: number, y: number, eta: number, n: number): void;
  /** See kernels/flips.ts. */
  flips(
    rate: number,
    inside: number,
    pivot: number,
    score: number,
    least: number,
    offset: number,
    shift: number,
    place: number,
    n: number,
    base: number,
    half: number,
    power: number,
    share: number,
    saturated: number,
    worth: number,
    spread: number,
    top: number,
  ): number;
  /** See kernels/inverse.ts. */
  borderInverse(
    matrix: number,
    stride: number,
    k: number,
    column: number,
    w: number,
    solution: number,
    d: number,
    u: number,
  ): void;
  shrinkInverse(matrix: number, stride: number, k: number, i: number, w: number, solution: number): void;
  /** See kernels/logistic-means.ts. */
  addLogisticMeans(
    means: number,
    laws: number,
    nodes: number,
    n: number,
    few: number,
    many: number,
    narrow: number,
    times: number,
  ): void;
  /** See kernels/mixture-ends.ts. */
  mixtureEnds(
    ends: number,
    laws: number,
    about: number,
    more: number,
    scratch: number,
    n: number,
    parts: number,
    total: number,
    lower: number,
    upper: number,
    first: number,
    second: number,
  ): void;
  /** See kernels/model-laws.ts. */
  ofProblem(
    scales: number,
    priors: number,
    gains: number,
    zellner: number,
    noise: number,
    target: number,
    degrees: number,
  ): void;
  modelLaws(
    out: number,
    sums: number,
    cross: number,
    away: number,
    members: number,
    sizes: number,
    places: number,
    room: number,
    size: number,
    n: number,
    first: number,
    scales: number,
  ): void;
  modelWorths(
    out: number,
    sums: number,
    cross: number,
    members: number,
    sizes: number,
    room: number,
    size: number,
    n: number,
    scales: number,
  ): void;
  /** See kernels/model-members.ts. */
  addByMember(out: number, starts: number, members: number, weights: number, n: number): void;
  indexMembers(holders: number, next: number, starts: number, members: number, n: number): void;
  coverModels(
    gain: number,
    covered: number,
    holders: number,
    count: number,
    starts: number,
    members: number,
    weights: number,
  ): void;
  uncovered(covered: number, weights: number, n: number): number;
  /** See kernels/model-tree.ts. */
  walkModels(
    fits: number,
    determinants: number,
    joined: number,
    depths: number,
    least: number,
    levels: number,
    variables: number,
    forced: number,
    largest: number,
    ridge: number,
    areKnown: number,
  ): number;
  worthsOfFits(
    out: number,
    fits: number,
    determinants: number,
    sizes: number,
    priors: number,
    n: number,
    constant: number,
    perMember: number,
    shrink: number,
    noise: number,
    targetSquares: number,
    freedom: number,
  ): void;
  /** See kernels/outsiders.ts. */
  judgeOutsiders(
    out: number,
    cross: number,
    own: number,
    target: number,
    stride: number,
    n: number,
    model: number,
    table: number,
    scratch: number,
    score: number,
  ): void;
  /** See kernels/place-rows.ts. */
  placeRows(...places: number[]): void;
  placeDense(...places: number[]): void;
  /** See kernels/row-products.ts. */
  rowProducts(
    sums: number,
    weights: number,
    starts: number,
    entries: number,
    n: number,
    stride: number,
  ): void;
  pickRows(
    toStarts: number,
    toEntries: number,
    places: number,
    starts: number,
    entries: number,
    n: number,
  ): number;
}
