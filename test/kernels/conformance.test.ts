import { beforeAll, describe, expect, it } from "vitest";
import type { Kernels } from "../../src/kernels/interface.js";
import { Rng } from "../../src/math/rng.js";
import { arena, implementations } from "./implementations.js";

/**
 * What each kernel must give, written once more and plainly: every result is a list of terms whose sum it is.
 * A float32 result must be within ELEMENT·Σ|terms|, a sum within SUM·Σ|terms|. ELEMENT is eight roundings of
 * float32; SUM leaves room for the 64 additions that a float32 lane makes, in the mean far less than their bound.
 */
const ELEMENT = 8 * 2 ** -24;
const SUM = 1e-6;

interface Data {
  n: number;
  x: Float32Array;
  y: Float32Array;
  w: Float32Array;
  out: Float32Array;
  panel: Float32Array;
  rows: Uint32Array;
}
type At = Record<"x" | "y" | "w" | "out" | "panel" | "rows" | "sums", number>;
interface Case {
  writes: "vector" | "sums" | "nothing";
  call(k: Kernels, at: At, n: number): number | undefined;
  /** The terms of each result; for a vector, of each element. */
  terms(data: Data): number[][];
}

const PANEL = 7;
const A = Math.fround(1.7);
const B = Math.fround(-0.6);
const SUMS_BEFORE = Array.from({ length: 3 * PANEL }, (_, c) => 0.25 * c - 1);
const indices = (n: number) => Array.from({ length: n }, (_, i) => i);
const vector =
  (element: (data: Data, i: number) => number[]) =>
  (data: Data): number[][] =>
    indices(data.n).map((i) => element(data, i));
const sum =
  (term: (data: Data, i: number) => number[]) =>
  (data: Data): number[][] => [indices(data.n).flatMap((i) => term(data, i))];
const column = ({ panel, n }: Data, c: number) => panel.subarray(c * n, (c + 1) * n);

const cases: Record<string, Case> = {
  fill: { writes: "vector", call: (k, at, n) => void k.fill(at.out, A, n), terms: vector(() => [A]) },
  copy: {
    writes: "vector",
    call: (k, at, n) => void k.copy(at.out, at.x, n),
    terms: vector(({ x }, i) => [x[i]]),
  },
  affine: {
    writes: "vector",
    call: (k, at, n) => void k.affine(at.out, A, B, at.x, n),
    terms: vector(({ x }, i) => [A * x[i], B]),
  },
  affineAxpy: {
    writes: "vector",
    call: (k, at, n) => void k.affineAxpy(at.out, A, B, at.x, n),
    terms: vector(({ out, x }, i) => [out[i], A * x[i], B]),
  },
  affineDot: {
    writes: "nothing",
    call: (k, at, n) => k.affineDot(A, B, at.x, at.y, n),
    terms: sum(({ x, y }, i) => [A * x[i] * y[i], B * y[i]]),
  },
  residual: {
    writes: "vector",
    call: (k, at, n) => void k.residual(at.out, at.y, at.x, n),
    terms: vector(({ x, y }, i) => [y[i], -x[i]]),
  },
  squaredError: {
    writes: "nothing",
    call: (k, at, n) => k.squaredError(at.x, at.y, n),
    terms: sum(({ x, y }, i) => [(y[i] - x[i]) ** 2]),
  },
  gaussianChange: {
    writes: "nothing",
    call: (k, at, n) => k.gaussianChange(at.w, at.x, at.y, n),
    terms: sum(({ x, y, w }, i) => [w[i] * (y[i] - x[i]), -0.5 * w[i] ** 2]),
  },
  columnSums: {
    writes: "sums",
    call: (k, at, n) => void k.columnSums(at.sums, at.x, at.y, n),
    terms: ({ x, y, n }) => [
      indices(n).map((i) => x[i]),
      indices(n).map((i) => x[i] ** 2),
      indices(n).map((i) => x[i] * y[i]),
    ],
  },
  blockSums: {
    writes: "sums",
    call: (k, at, n) => void k.blockSums(at.sums, at.panel, PANEL, n, at.y, n),
    terms: (data) =>
      indices(PANEL).flatMap((c) => [
        Array.from(column(data, c)),
        Array.from(column(data, c), (v) => v * v),
        Array.from(column(data, c), (v, i) => v * data.y[i]),
      ]),
  },
  readSum: {
    writes: "nothing",
    call: (k, at, n) => k.readSum(at.x, n),
    terms: sum(({ x }, i) => [x[i]]),
  },
  panelDots: {
    writes: "sums",
    call: (k, at, n) => void k.panelDots(at.sums, at.x, at.panel, n, PANEL, n),
    terms: (data) => indices(PANEL).map((c) => Array.from(column(data, c), (v, i) => v * data.x[i])),
  },
  tileDots: {
    writes: "sums",
    // The panel's own first column is the second of the two.
    call: (k, at, n) => void k.tileDots(at.sums, at.x, at.panel, at.panel, n, PANEL, n),
    terms: (data) =>
      [data.x, column(data, 0)].flatMap((x) =>
        indices(PANEL).map((c) => Array.from(column(data, c), (v, i) => v * x[i])),
      ),
  },
  blockDots: {
    writes: "sums",
    call: (k, at, n) => void k.blockDots(at.sums, at.panel, 3, n, at.panel, PANEL, n),
    terms: (data) =>
      indices(3).flatMap((j) =>
        indices(PANEL).map((c) => Array.from(column(data, c), (v, i) => v * column(data, j)[i])),
      ),
  },
  "blockDots with a single column": {
    writes: "sums",
    call: (k, at, n) => void k.blockDots(at.sums, at.panel, PANEL, n, at.x, 1, n),
    terms: (data) => indices(PANEL).map((c) => Array.from(column(data, c), (v, i) => v * data.x[i])),
  },
  exactDots: {
    writes: "sums",
    call: (k, at, n) => void k.exactDots(at.sums, at.x, at.panel, n, PANEL, n),
    terms: (data) => indices(PANEL).map((c) => Array.from(column(data, c), (v, i) => v * data.x[i])),
  },
  weightedSquare: {
    writes: "nothing",
    call: (k, at, n) => k.weightedSquare(B, at.x, at.w, n),
    terms: sum(({ x, w }, i) => [w[i] * (x[i] - B) ** 2]),
  },
  // The first numbers of x are the centers.
  weightedSums: {
    writes: "sums",
    call: (k, at, n) => void k.weightedSums(at.sums, at.panel, Math.min(n, PANEL), n, at.x, at.w, at.y, n),
    terms: (data) =>
      indices(Math.min(data.n, PANEL)).flatMap((c) => {
        const away = Array.from(column(data, c), (v) => v - data.x[c]);
        return [
          away.map((v, i) => v * data.y[i]),
          away.map((v, i) => v * data.w[i]),
          away.map((v, i) => v * v * data.w[i]),
        ];
      }),
  },
  weightedCube: {
    writes: "nothing",
    call: (k, at, n) => k.weightedCube(at.x, at.w, n),
    terms: sum(({ x, w }, i) => [w[i] * Math.abs(x[i]) ** 3]),
  },
  least: {
    writes: "nothing",
    call: (k, at, n) => k.least(at.x, n),
    terms: ({ x }) => [x.length > 0 ? [Math.min(...x)] : []],
  },
  largest: {
    writes: "nothing",
    call: (k, at, n) => k.largest(at.x, n),
    terms: ({ x }) => [x.length > 0 ? [Math.max(...x)] : []],
  },
  product: {
    writes: "vector",
    call: (k, at, n) => void k.product(at.out, at.x, at.w, n),
    terms: vector(({ x, w }, i) => [x[i] * w[i]]),
  },
  gather: {
    writes: "vector",
    call: (k, at, n) => void k.gather(at.out, at.x, at.rows, n),
    terms: vector(({ x, rows }, i) => [x[rows[i]]]),
  },
  joinBlocks: {
    writes: "vector",
    call: (k, at, n) => void k.joinBlocks(at.out, at.panel, 8 * n, 3, n),
    terms: vector(({ panel, n }, i) => {
      const block = [2, 1, 0].find((b) => Math.floor((b * n) / 3) <= i)!;
      return [panel[2 * n * block + i - Math.floor((block * n) / 3)]];
    }),
  },
  gatherBlocks: {
    writes: "vector",
    call: (k, at, n) => void k.gatherBlocks(at.out, 4, 1, n, at.x, at.rows),
    terms: vector(({ x, rows }, i) => [x[rows[i]]]),
  },
  scatterAxpy: {
    writes: "vector",
    call: (k, at, n) => void k.scatterAxpy(at.out, A, at.rows, at.w, n),
    terms: vector((data, i) => [
      data.out[i],
      ...indices(data.n)
        .filter((j) => data.rows[j] === i)
        .map((j) => A * data.w[j]),
    ]),
  },
  gatherDot: {
    writes: "nothing",
    call: (k, at, n) => k.gatherDot(at.rows, at.w, at.y, n),
    terms: sum(({ w, y, rows }, i) => [w[i] * y[rows[i]]]),
  },
};

function draw(n: number, scale = 1, offset = 0): Data {
  const rng = Rng.seeded(1000 + n);
  const values = (length: number) =>
    Float32Array.from({ length }, () => scale * (offset + 4 * rng.uniform() - 2));
  return {
    n,
    x: values(n),
    y: values(n),
    w: values(n),
    out: values(n),
    panel: values(PANEL * n),
    rows: Uint32Array.from({ length: n }, () => Math.floor(rng.uniform() * n)),
  };
}

const BYTES = 1 << 17;

/** Runs a case on data and returns its results; fails if any byte but its output changed. */
function results(k: Kernels, { writes, call }: Case, data: Data, skew: number): number[] {
  const bytes = new Uint8Array(k.memory.buffer);
  bytes.fill(0xa5);
  const place = arena(k.memory, skew);
  const at: At = {
    x: place.float32(data.x),
    y: place.float32(data.y),
    w: place.float32(data.w),
    out: place.float32(data.out),
    panel: place.float32(data.panel),
    rows: place.uint32(data.rows),
    sums: place.float64(SUMS_BEFORE),
  };
  const before = Buffer.from(bytes);
  const returned = call(k, at, data.n);
  const sums = Array.from(new Float64Array(k.memory.buffer, at.sums, SUMS_BEFORE.length));
  const out = Array.from(new Float32Array(k.memory.buffer, at.out, data.n));
  const [start, length] =
    writes === "nothing" ? [0, 0] : writes === "sums" ? [at.sums, 8 * sums.length] : [at.out, 4 * data.n];
  before.set(bytes.subarray(start, start + length), start);
  if (Buffer.compare(before, Buffer.from(bytes)) !== 0) throw new Error("wrote outside of its output");
  if (writes === "vector") return out;
  return writes === "sums" ? sums.map((s, c) => s - SUMS_BEFORE[c]) : [returned!];
}

function check(k: Kernels, kernel: Case, data: Data, skew: number, label: string): void {
  const got = results(k, kernel, data, skew);
  const tolerance = kernel.writes === "vector" ? ELEMENT : SUM;
  kernel.terms(data).forEach((terms, c) => {
    const want = terms.reduce((s, t) => s + t, 0);
    // Below the normal range a rounding is absolute, one for each term; so is that of a sum that started elsewhere.
    const floor =
      kernel.writes === "vector" ? 2 ** -149 * terms.length : kernel.writes === "sums" ? 1e-14 : 0;
    const bound = tolerance * terms.reduce((s, t) => s + Math.abs(t), 0) + floor;
    if (!(Math.abs(got[c] - want) <= bound)) expect.fail(`${label}, result ${c}: ${got[c]}, not ${want}`);
  });
  if (kernel.writes === "sums") {
    got.slice(kernel.terms(data).length).forEach((extra) => {
      expect(extra).toBe(0);
    });
  }
}

describe.each(implementations)("the kernels (%s)", (_, make) => {
  let k: Kernels;
  beforeAll(async () => {
    k = await make(BYTES);
  });

  describe.each(Object.entries(cases))("%s", (_name, kernel) => {
    it("is right at every length and alignment and writes nothing else", () => {
      for (const n of [...indices(41), 63, 200, 511, 519, 1027]) {
        for (const skew of [0, 4, 8, 12]) check(k, kernel, draw(n), skew, `n = ${n}, skew ${skew}`);
      }
    });

    it("is right for large and small numbers and for columns far from zero", () => {
      for (const n of [5, 203, 1030]) {
        for (const scale of [1e10, 1e-10]) check(k, kernel, draw(n, scale), 4, `scale ${scale}, n = ${n}`);
        check(k, kernel, draw(n, 1, 1000), 4, `offset 1000, n = ${n}`);
      }
    });

    it("passes on a NaN wherever it stands, and only where it belongs", () => {
      for (const n of [1, 4, 7, 8, 9, 41]) {
        for (let at = 0; at < n; at++) {
          const data = draw(n);
          for (const v of [data.x, data.y, data.w, data.out, data.panel]) v[at] = Number.NaN;
          const got = results(k, kernel, data, 4);
          const want = kernel.terms(data).map((terms) => terms.reduce((s, t) => s + t, 0));
          want.forEach((v, c) => {
            expect(Number.isNaN(got[c]), `n = ${n}, NaN at ${at}, result ${c}`).toBe(Number.isNaN(v));
          });
        }
      }
    });
  });

  it("an infinite value makes the screen's sums infinite, whatever its place", () => {
    for (const n of [1, 7, 8, 40, 600]) {
      for (let at = 0; at < n; at += 3) {
        const data = draw(n);
        data.x[at] = Number.NEGATIVE_INFINITY;
        data.y[at] = 2;
        expect(results(k, cases.columnSums, data, 4).slice(0, 3)).toEqual([
          Number.NEGATIVE_INFINITY,
          Number.POSITIVE_INFINITY,
          Number.NEGATIVE_INFINITY,
        ]);
      }
    }
  });

  it("the screen's sums serve the whole range of float32, denormals included", () => {
    for (const scale of [1e-42, 1e-30, 1e-20, 1e18, 1e37]) {
      for (const n of [3, 40, 601]) {
        check(k, cases.columnSums, draw(n, scale), 4, `scale ${scale}, n = ${n}`);
        const mixed = { ...draw(n, scale), y: draw(n).y };
        check(k, cases.columnSums, mixed, 4, `x alone of scale ${scale}, n = ${n}`);
        check(k, cases.blockSums, { ...draw(n), y: mixed.x }, 4, `y alone of scale ${scale}, n = ${n}`);
      }
    }
  });

  it("denormals survive the vector kernels", () => {
    const data = draw(19, 1e-41);
    for (const name of ["copy", "affine", "affineAxpy", "residual", "gather", "scatterAxpy"]) {
      check(k, cases[name], data, 4, name);
    }
  });

  it("the screen's sums give the variance of 1000 ± 1 to six digits", () => {
    const data = draw(1027, 1, 1000);
    const [sx, sxx, sxy] = results(k, cases.columnSums, data, 4);
    const mean = (v: Float32Array) => v.reduce((s, t) => s + t, 0) / data.n;
    const [mx, my] = [mean(data.x), mean(data.y)];
    const variance = data.x.reduce((s, t) => s + (t - mx) ** 2, 0) / data.n;
    const covariance = data.x.reduce((s, t, i) => s + (t - mx) * (data.y[i] - my), 0) / data.n;
    expect(Math.abs(sxx / data.n - (sx / data.n) ** 2 - variance)).toBeLessThan(1e-6 * variance);
    // y is not centred inside, so 1000 times the roundings of x remain
    expect(Math.abs(sxy / data.n - (sx / data.n) * my - covariance)).toBeLessThan(1e-4 * variance);
  });
});

describe.each(implementations)("long sums (%s)", (_, make) => {
  it.each([0, 1000])("the mean of ten million values around %d is right to 1e-6", async (offset) => {
    const n = 10_000_000;
    const k = await make(8 * n + 65536);
    const x = new Float32Array(k.memory.buffer, 4096 + 4, n);
    const y = new Float32Array(k.memory.buffer, 4096 + 8 + 4 * n, n).fill(1);
    const rng = Rng.seeded(7);
    let [sum, compensation] = [0, 0];
    for (let i = 0; i < n; i++) {
      x[i] = offset + 2 * rng.uniform() - 1;
      const t = x[i] - compensation;
      const next = sum + t;
      compensation = next - sum - t;
      sum = next;
    }
    const out = new Float64Array(k.memory.buffer, 0, 3);
    k.columnSums(0, x.byteOffset, y.byteOffset, n);
    const tolerance = 1e-6 * Math.max(1, offset);
    expect(Math.abs(out[0] - sum) / n).toBeLessThan(tolerance);
    expect(Math.abs(out[2] - sum) / n).toBeLessThan(tolerance);
    expect(Math.abs(k.affineDot(1, 0, x.byteOffset, y.byteOffset, n) - sum) / n).toBeLessThan(tolerance);
  });
});
