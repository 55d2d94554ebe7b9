/** Mixed models: of cross-products, of a file, and by the command. */

import {
  addRow,
  emptyCrossProducts,
  type MixedFit,
  type MixedOptions,
  mixedFromProducts,
  Rng,
} from "../../src/index.js";
import { normal } from "../../src/math/normal.js";
import { mixed } from "../../src/node.js";
import { sparrow } from "../cli/fake-effects.js";
import { type Table, writeDelimited } from "./data.js";
import { inFolder } from "./folder.js";
import type { Case } from "./kept.js";
import { plain, sha256 } from "./plain.js";
import { folderOf } from "./run-folder.js";

/** Eight rows in each of some groups, whose intercepts and slopes differ. */
function grouped(groups: number, seed = 19): Table {
  const rng = Rng.seeded(seed);
  const [group, x, z, y]: [string[], number[], number[], number[]] = [[], [], [], []];
  for (let g = 0; g < groups; g++) {
    const [level, slope] = [0.8 * normal(rng), 0.5 * normal(rng)];
    for (let i = 0; i < 8; i++) {
      group.push(`g${g}`);
      x.push(normal(rng));
      z.push(normal(rng));
      y.push(1 + level + (0.5 + slope) * x.at(-1)! - 0.3 * z.at(-1)! + 0.7 * normal(rng));
    }
  }
  return { group, x, z, y };
}

function crossProducts(groups: number) {
  const { group, x, z, y } = grouped(groups) as Record<string, (number | string)[]>;
  const names = [...new Set(group)].map(String);
  const data = emptyCrossProducts(["intercept", "x", "z"], "y", names);
  const place = new Map(names.map((name, g) => [name, g]));
  for (const [i, name] of group.entries()) {
    addRow(data, place.get(String(name))!, [1, x[i], z[i], y[i]].map(Number));
  }
  return data;
}

function kept(fit: MixedFit): unknown {
  const draws = fit.draws.map((chain) => sha256(Float64Array.from(chain.flatMap((draw) => [...draw]))));
  return { ...(plain({ result: fit.result, names: fit.names, effects: fit.effects() }) as object), draws };
}

const model = {
  target: "y",
  group: "group",
  fixed: ["intercept", "x", "z"],
  random: ["intercept", "x"],
  seed: 3,
};
const settings: Record<string, [groups: number, options: Partial<MixedOptions>]> = {
  gibbs: [60, { iterations: 400, chains: 2 }],
  esgld: [300, { method: "esgld", iterations: 1000, chains: 2 }],
  "esgld-many-groups": [600, { method: "esgld", iterations: 1500, chains: 2, batch: 50 }],
  paper: [300, { preset: "paper", iterations: 500, batch: 60 }],
  "paper-imputations": [
    200,
    { preset: "paper", iterations: 300, batch: 50, imputations: 3, temperature: 0.5 },
  ],
  "half-t": [60, { iterations: 400, chains: 2, prior: "half-t" }],
  priors: [60, { iterations: 300, chains: 2, priors: { fixedVariance: 10 } }],
};

const named = { target: "y", group: "group", fixed: ["x", "z"], random: ["x"], seed: 3 };

export const mixedCases: readonly Case[] = [
  ...Object.entries(settings).map(([name, [groups, options]]) => ({
    name: `mixed-${name}`,
    run: async () => kept(await mixedFromProducts(crossProducts(groups), { ...model, ...options })),
  })),
  {
    name: "mixed-file",
    run: inFolder(async () => {
      writeDelimited("groups.csv", grouped(50));
      return kept(await mixed("groups.csv", { ...named, iterations: 300, chains: 2 }));
    }),
  },
  {
    name: "mixed-command",
    run: inFolder(async () => {
      writeDelimited("groups.csv", grouped(40));
      const asked = [
        "--target",
        "y",
        "--group",
        "group",
        "--random",
        "x",
        "--iterations",
        "300",
        "--chains",
        "2",
      ];
      const { status, out } = await sparrow(
        "mixed",
        "groups.csv",
        ...asked,
        "--seed",
        "4",
        "--out",
        "run",
        "--quiet",
      );
      return { status, out, files: folderOf("run", ["summary.json"]) };
    }),
  },
];
