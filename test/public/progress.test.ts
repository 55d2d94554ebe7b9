import { expect, test } from "vitest";
import { compare, mixed, type Progress, predict, Rng, run } from "../../src/node.js";

const rng = Rng.seeded(4);
const x = Array.from({ length: 9000 }, () => rng.uniform());
const columns = { x, y: x.map((value) => value + rng.uniform()), g: x.map((_, i) => `g${i % 40}`) };

/** The stages that were told of, and whether any went backwards or beyond its end. */
function listener() {
  const last = new Map<string, number>();
  const wrong: Progress[] = [];
  const onProgress = (progress: Progress): void => {
    const { stage, done, total } = progress;
    if (done < (last.get(stage) ?? 0) || (total > 0 && done > total)) wrong.push(progress);
    last.set(stage, done);
  };
  return { onProgress, last, wrong };
}

test("predict tells how many rows have been predicted", async () => {
  const { details } = await run({ x: columns.x.slice(0, 200), y: columns.y.slice(0, 200) }, { target: "y" });
  const heard = listener();
  await predict(details.predictor(), columns, { onProgress: heard.onProgress });
  expect([...heard.last]).toEqual([["predict", 9000]]);
  expect(heard.wrong).toEqual([]);
});

test("mixed tells of reading and of sampling, under the names that fit has for them", async () => {
  const heard = listener();
  await mixed(columns, { target: "y", group: "g", iterations: 3000, onProgress: heard.onProgress });
  expect([...heard.last.keys()]).toEqual(["read", "sample"]);
  expect(heard.last.get("read")).toBe(9000);
  expect(heard.wrong).toEqual([]);
});

test("compare tells of reading, and which method is next", async () => {
  const heard = listener();
  const methods: string[] = [];
  await compare(
    { x: columns.x.slice(0, 300), y: columns.y.slice(0, 300) },
    {
      target: "y",
      methods: ["esgld", "lasso"],
      threads: 1,
      onProgress: heard.onProgress,
      onMethod: (method) => methods.push(method),
    },
  );
  expect(methods).toEqual(["esgld", "lasso"]);
  expect(heard.last.has("read")).toBe(true);
});
