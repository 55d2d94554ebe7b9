// Every model over some candidates, depth first, each its parent plus one variable: see
// src/selection/posterior/enumeration/model-tree.ts.
import { log64 } from "./exponential";

// What a model leaves of the variables after it: its fit and log determinant, then their pivots and their products with
// the target, then, row by row above the diagonal, their products with each other.
const HEAD: usize = 16;
let levels: usize, levelBytes: usize, size: i32, largest: i32, ridge: f64;
// Where models are written to, one behind the other; or, once they are known, looked up.
let fits: usize, determinants: usize, joined: usize, depths: usize, least: usize, isKnown: bool, model: usize;

// @ts-ignore: decorator
@inline
function wide(at: usize, i: i32): usize {
  return at + (<usize>i << 3);
}

// What is left once the variable at place i has joined; of products with each other only where they are asked for.
function take(to: usize, from: usize, i: i32, isCrossed: bool): void {
  const pivots = from + HEAD, scores = wide(pivots, size), cross = wide(scores, size);
  const toPivots = to + HEAD, toScores = wide(toPivots, size), toCross = wide(toScores, size);
  // Members that depend on each other leave rounding where the ridge should be.
  const own = max(max(load<f64>(wide(pivots, i)), 0.5 * ridge), f64.MIN_VALUE);
  const row = wide(cross, i * size);
  const scored = load<f64>(wide(scores, i));
  store<f64>(to, load<f64>(from) + scored * scored / own);
  store<f64>(to + 8, load<f64>(from + 8) + log64(own));
  for (let a = i + 1; a < size; a++) {
    const product = load<f64>(wide(row, a));
    const share = product / own;
    store<f64>(wide(toPivots, a), load<f64>(wide(pivots, a)) - share * product);
    store<f64>(wide(toScores, a), load<f64>(wide(scores, a)) - share * scored);
    if (!isCrossed) continue;
    const at = <usize>(a * size) << 3;
    for (let b = a + 1; b < size; b++) {
      const there = wide(at, b);
      store<f64>(toCross + there, load<f64>(cross + there) - share * load<f64>(wide(row, b)));
    }
  }
}

function visit(level: i32, place: i32): void {
  const left = levels + <usize>level * levelBytes;
  const narrow = model << 2;
  store<i32>(joined + narrow, place);
  store<i32>(depths + narrow, level);
  store<f64>(fits + (model << 3), load<f64>(left));
  store<f64>(determinants + (model << 3), load<f64>(left + 8));
  model += 1;
  if (level == largest) return;
  const below = left + levelBytes;
  for (let i = place + 1; i < size; i++) {
    const next = model << 2;
    const joins = isKnown
      ? load<i32>(joined + next) == i && load<i32>(depths + next) == level + 1
      : load<f64>(wide(left + HEAD, i)) > load<f64>(wide(least, i));
    if (!joins) continue;
    take(below, left, i, level + 1 < largest - 1);
    visit(level + 1, i);
  }
}

// From what no model at all leaves, at the first level; the first variables are in every model. How many models there are.
export function walkModels(
  toFits: usize, toDeterminants: usize, toJoined: usize, toDepths: usize, leastPivots: usize, atLevels: usize,
  variables: i32, forced: i32, most: i32, ofRidge: f64, areKnown: i32,
): i32 {
  fits = toFits;
  determinants = toDeterminants;
  joined = toJoined;
  depths = toDepths;
  least = leastPivots;
  levels = atLevels;
  size = variables;
  levelBytes = HEAD + (<usize>(size * (size + 2)) << 3);
  largest = most;
  ridge = ofRidge;
  isKnown = areKnown != 0;
  model = 0;
  for (let i = 0; i < forced; i++) take(levels, levels, i, true);
  visit(0, forced - 1);
  return <i32>model;
}

// out = priors + constant − ½(perMember·sizes + log determinants) + worth of shrink·fits; a noise variance that is not
// known is negative.
export function worthsOfFits(
  out: usize, fit: usize, determinant: usize, sizes: usize, priors: usize, n: i32,
  constant: f64, perMember: f64, shrink: f64, noise: f64, targetSquares: f64, freedom: f64,
): void {
  const end = wide(out, n);
  for (; out < end; out += 8, fit += 8, determinant += 8, sizes += 8, priors += 8) {
    const explained = shrink * load<f64>(fit);
    const worth = noise < 0
      ? -0.5 * freedom * log64(max(targetSquares - explained, 1e-12 * targetSquares))
      : explained / (2 * noise);
    const penalty = perMember * load<f64>(sizes) + load<f64>(determinant);
    store<f64>(out, constant + load<f64>(priors) - 0.5 * penalty + worth);
  }
}
