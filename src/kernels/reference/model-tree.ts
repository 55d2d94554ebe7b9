/** The plain form of kernels/model-tree.ts. */

/** What a model leaves of the variables after it, by their places in the order of the tree. */
export interface Left {
  readonly pivot: Float64Array;
  readonly score: Float64Array;
  /** Row by row, above the diagonal. */
  readonly cross: Float64Array;
  fit: number;
  logDeterminant: number;
}

export interface TreeToWalk {
  /** What is left of all variables where there is no model. */
  readonly root: Left;
  /** Smaller pivots are those of variables that depend on the model. */
  readonly least: Float64Array;
  /** Of the variables, those that are in every model. */
  readonly forced: number;
  /** The most others that a model may have. */
  readonly largest: number;
  readonly ridge: number;
}

/** A model as the walk comes to it. */
export interface VisitedModel {
  readonly fit: number;
  readonly logDeterminant: number;
  /** The place of the variable by which it differs from its parent, and by how many it does from the first. */
  readonly joined: number;
  readonly depth: number;
}

/** In the order of the walk; of `known` models where they are given, else of those whose variables are independent. */
export function walkedModels(tree: TreeToWalk, known?: readonly VisitedModel[]): VisitedModel[] {
  const { root, least, forced, largest, ridge } = tree;
  const size = least.length;
  const found: VisitedModel[] = [];
  const visit = ({ fit, logDeterminant, ...left }: Left, depth: number, joined: number): void => {
    found.push({ fit, logDeterminant, joined, depth });
    if (depth === largest) return;
    for (let i = joined + 1; i < size; i++) {
      const next = known?.[found.length];
      const joins = known ? next?.joined === i && next.depth === depth + 1 : left.pivot[i] > least[i];
      if (joins) visit(taken({ fit, logDeterminant, ...left }, i, ridge), depth + 1, i);
    }
  };
  let first = root;
  for (let i = 0; i < forced; i++) first = taken(first, i, ridge);
  visit(first, 0, forced - 1);
  return found;
}

/** What is left once the variable at place i has joined. */
function taken({ pivot, score, cross, fit, logDeterminant }: Left, i: number, ridge: number): Left {
  const size = pivot.length;
  // Members that depend on each other leave rounding where the ridge should be.
  const own = Math.max(pivot[i], 0.5 * ridge, Number.MIN_VALUE);
  const product = (a: number) => cross[size * i + a];
  const share = (a: number) => product(a) / own;
  return {
    pivot: pivot.map((value, a) => (a > i ? value - share(a) * product(a) : value)),
    score: score.map((value, a) => (a > i ? value - share(a) * score[i] : value)),
    cross: cross.map((value, at) => {
      const [a, b] = [Math.floor(at / size), at % size];
      return a > i && b > a ? value - share(a) * product(b) : value;
    }),
    fit: fit + (score[i] * score[i]) / own,
    logDeterminant: logDeterminant + Math.log(own),
  };
}
