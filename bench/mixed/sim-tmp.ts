import { mixed } from "../../src/index.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { fitMixed } from "../../src/mixed/fit.js";
import { addRow, emptyCrossProducts } from "../../src/mixed/model/crossproducts.js";
const which = process.argv[2], sets = Number(process.argv[3]);
type S = { c: number; b: number; q: number; up: number; p: number; clean: number };
const tally = () => ({ c: 0, b: 0, q: 0, up: 0, p: 0, clean: 0 });
const add = (t: S, sd: any, truth: number, differs: any, clean: boolean) => { t.c += +(sd.lower <= truth && truth <= sd.upper) / sets; t.b += (sd.median - truth) / sd.sd / sets; t.q += (sd.median - truth) ** 2 / sets; t.up += sd.upper / sets; t.p += (differs?.probability ?? 0) / sets; t.clean += +clean / sets; };
const say = (n: string, t: S) => console.log(n, `cover ${(100 * t.c).toFixed(1)} bias ${t.b.toFixed(2)} rms ${Math.sqrt(t.q).toFixed(3)} up ${t.up.toFixed(2)} P ${t.p.toFixed(2)} clean ${t.clean.toFixed(2)}`);
for (const prior of ["half-t", "spike-and-slab"] as const) {
  if (which === "nested") for (const [outer, inner] of [[0, 3], [1, 3], [2, 3], [4, 3], [1, 0], [1, 0.5]]) {
    const t = tally(), t2 = tally();
    for (let s = 0; s < sets; s++) {
      const rng = Rng.seeded(900 + s).split(10 * outer);
      const a: string[] = [], b: string[] = [], y: number[] = [];
      for (let i = 0; i < 10; i++) { const e = outer * normal(rng); for (let j = 0; j < 3; j++) { const f = inner * normal(rng); for (let r = 0; r < 2; r++) { a.push(`a${i}`); b.push(`b${j}`); y.push(60 + e + f + 0.8 * normal(rng)); } } }
      const { result } = await mixed({ a, b, y }, { formula: "y ~ 1 + (1 | a/b)", chains: 2, iterations: 1500, prior, seed: s + 1 });
      const T = result.terms!; const o = T.find((x) => x.groups === 10)!, n = T.find((x) => x.groups === 30)!;
      add(t, o.sd[0], outer, o.differs?.[0], true); add(t2, n.sd[0], inner, n.differs?.[0], true);
    }
    say(`${prior} outer ${outer}`, t); say(`${prior}   inner ${inner}`, t2);
  }
  if (which === "slopes") for (const slope of [0, 0.1, 0.2, 0.5]) {
    const t = tally(), t2 = tally(), t3 = tally();
    for (let s = 0; s < sets; s++) {
      const rng = Rng.seeded(700 + s).split(Math.round(100 * slope));
      const data = emptyCrossProducts(["(intercept)", "x"], "y", Array.from({ length: 30 }, (_, i) => `${i}`));
      for (let i = 0; i < 30; i++) { const z = normal(rng); const e = 0.5 * z, f = slope * (0.5 * z + Math.sqrt(0.75) * normal(rng)); for (let r = 0; r < 15; r++) { const x = normal(rng); addRow(data, i, [1, x, 1 + e + (0.5 + f) * x + normal(rng)]); } }
      const { result } = await fitMixed(data, { target: "y", group: "g", fixed: ["x"], random: ["x"], prior, chains: 2, iterations: 1500, seed: s + 1 });
      add(t, result.random.sd[0], 0.5, result.random.differs?.[0], true); add(t2, result.random.sd[1], slope, result.random.differs?.[1], true); add(t3, result.random.correlations[0], 0.5, undefined, true);
    }
    say(`${prior} intercept 0.5`, t); say(`${prior}   slope ${slope}`, t2); say(`${prior}     correlation 0.5`, t3);
  }
  if (which === "binomial") for (const truth of [0, 0.2, 0.5, 1]) {
    const t = tally(), t2 = tally();
    for (let s = 0; s < sets; s++) {
      const rng = Rng.seeded(400 + s).split(Math.round(100 * truth));
      const a: string[] = [], y: number[] = [], n: number[] = [];
      for (let i = 0; i < 30; i++) { const e = truth * normal(rng); let k = 0; for (let r = 0; r < 20; r++) k += +(rng.uniform() < 1 / (1 + Math.exp(0.5 - e))); a.push(`a${i}`); y.push(k); n.push(20); }
      const { result } = await mixed({ a, y, n }, { formula: "y ~ 1 + (1 | a)", trials: "n", chains: 2, iterations: 1500, prior, seed: s + 1 });
      add(t, result.random.sd[0], truth, result.random.differs?.[0], true);
      add(t2, result.fixed[0], -0.5, undefined, true);
    }
    say(`${prior} binomial ${truth}`, t); say(`${prior}   beta`, t2);
  }
}
