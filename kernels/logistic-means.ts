// Adds p·E expit(η) of n normal laws of η, mean and standard deviation each, to `means`: by the rule of so many nodes that
// the law's width asks for, both signs of a node at a time. See src/families/binomial.ts.
import { exp64 } from "./exponential";

// Nodes and weights stand one after the other: `few` of them for laws narrower than `narrow`, then `many`.
export function addLogisticMeans(
  means: usize, laws: usize, nodes: usize, n: i32, few: i32, many: i32, narrow: f64, p: f64,
): void {
  const signs = f64x2.replace_lane(f64x2.splat(1), 1, -1);
  for (let r: usize = 0; r < <usize>n; r++) {
    const mean = f64x2.splat(load<f64>(laws + (r << 4)));
    const sd = load<f64>(laws + (r << 4) + 8);
    const wide = f64x2.mul(signs, f64x2.splat(sd));
    let at = sd < narrow ? nodes : nodes + (<usize>few << 4);
    const end = at + (<usize>(sd < narrow ? few : many) << 4);
    let sum = f64x2.splat(0);
    for (; at < end; at += 16) {
      const eta = f64x2.add(mean, f64x2.mul(wide, v128.load64_splat(at)));
      const small = exp64(f64x2.neg(f64x2.abs(eta)));
      const top = v128.bitselect(small, f64x2.splat(1), f64x2.lt(eta, f64x2.splat(0)));
      const expit = f64x2.div(top, f64x2.add(f64x2.splat(1), small));
      sum = f64x2.add(sum, f64x2.mul(v128.load64_splat(at + 8), expit));
    }
    const found = f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
    store<f64>(means + (r << 3), load<f64>(means + (r << 3)) + p * found);
  }
}
