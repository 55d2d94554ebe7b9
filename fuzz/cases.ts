/** One case of every kind: something is changed, something reads it, and what comes of it is judged. */

import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { runCli } from "../src/cli/run.js";
import { verifyRun } from "../src/cli/verify/run.js";
import { verifyStore } from "../src/cli/verify/store.js";
import { manifestOf } from "../src/files/manifest.js";
import { readAnyRun } from "../src/node/read-run.js";
import { open } from "../src/node.js";
import { readPredictor } from "../src/prediction/read-predictor.js";
import { paper } from "../src/report/text/screen.js";
import { fileBytes } from "../src/tables/packed/decompress.js";
import { bytesOf } from "./corpus.js";
import { readLibsvm } from "./libsvm-oracle.js";
import { below, mutated, mutatedJson, pick, TOKENS } from "./mutate.js";
import { TABLE_CASES } from "./table-cases.js";
import { type Case, judged, type Outcome, type Place, readThrough, right, taken, wrong } from "./verdict.js";

export const CASES: Readonly<Record<string, Case>> = {
  async store(rng, { corpus, scratch }) {
    const name = pick(rng, ["dense.sparrow", "sparse.sparrow"]);
    const whole = bytesOf(corpus, name);
    const bytes = mutated(rng, whole);
    const path = join(scratch, name);
    writeFileSync(path, bytes);
    return judged(async () => {
      verifyStore(path);
      return bytes.equals(whole) ? right : wrong("a changed store was taken for whole");
    });
  },

  /** Right checksums over a description that somebody else wrote. */
  async craftedStore(rng, { corpus, scratch }) {
    const name = pick(rng, ["dense.sparrow", "sparse.sparrow"]);
    const bytes = bytesOf(corpus, name);
    const length = Number(bytes.readBigUInt64LE(16));
    const description = mutatedJson(rng, JSON.parse(bytes.toString("utf8", 64, 64 + length)));
    const text = Buffer.alloc(length, " ");
    Buffer.from(JSON.stringify(description)).copy(text);
    text.copy(bytes, 64);
    bytes.writeUInt32LE(crc32(text), 48);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 60)), 60);
    const path = join(scratch, name);
    writeFileSync(path, bytes);
    return judged(async () => {
      verifyStore(path);
      await readThrough(await open(path));
      return taken;
    });
  },

  async run(rng, { corpus, scratch }) {
    const name = pick(rng, ["run", "mixed", "ended"]);
    const folder = join(scratch, "folder");
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(corpus, name), folder, { recursive: true });
    const file = pick(
      rng,
      readdirSync(folder)
        .filter((each) => each !== "report.html")
        .sort(),
    );
    const whole = bytesOf(folder, file);
    const bytes = mutated(rng, whole);
    if (bytes.equals(whole)) return right;
    writeFileSync(join(folder, file), bytes);
    return judged(async () => {
      if (name === "ended") {
        await verifyRun(folder);
        return wrong(`a changed ${file} was taken for whole`);
      }
      const model = JSON.stringify(readPredictor(folder));
      if (model !== JSON.stringify(readPredictor(join(corpus, name))))
        return wrong(`${file} changed the model`);
      if (file === "model.json") return wrong("a changed model.json was taken for whole");
      if (/parquet|groups/.test(file)) await readAnyRun(folder);
      else await verifyRun(folder);
      return wrong(`a changed ${file} was taken for whole`);
    });
  },

  /** Right checksums over numbers that somebody else wrote. */
  async craftedRun(rng, { corpus, scratch }) {
    const name = pick(rng, ["run", "mixed"]);
    const folder = join(scratch, "folder");
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(corpus, name), folder, { recursive: true });
    const file = pick(rng, ["model.json", "summary.json", "run.json"]);
    const value = mutatedJson(rng, JSON.parse(bytesOf(folder, file).toString()));
    writeFileSync(join(folder, file), JSON.stringify(value));
    rmSync(join(folder, "manifest.json"));
    writeFileSync(join(folder, "manifest.json"), manifestOf(folder)["manifest.json"]);
    const data = join(corpus, name === "run" ? "crime.csv" : "groups.csv");
    if (file !== "model.json") return line(["report", folder, "--quiet"]);
    return line(["predict", folder, data, "--json", "--quiet"]);
  },

  /** What a run that was stopped has kept: it ends as it would have, or says why it cannot. */
  async unfinished(rng, { corpus }) {
    const [out, folder] = [join(corpus, "begun"), join(corpus, "begun.unfinished")];
    for (const each of [out, folder]) rmSync(each, { recursive: true, force: true });
    cpSync(join(corpus, "kept"), folder, { recursive: true });
    const file = pick(rng, readdirSync(folder).sort());
    writeFileSync(join(folder, file), mutated(rng, bytesOf(folder, file)));
    const outcome = await line(["resume", out]);
    if (outcome.verdict !== "taken") return outcome;
    const names = readdirSync(join(corpus, "ended")).filter((name) => !/timing|manifest/.test(name));
    const other = names.find((name) => !bytesOf(out, name).equals(bytesOf(join(corpus, "ended"), name)));
    return other === undefined ? right : wrong(`${other} after a change of ${file}`);
  },

  async libsvm(rng, { corpus, scratch }) {
    const path = join(scratch, "data.svm");
    const bytes = mutated(rng, bytesOf(corpus, "small.svm"));
    writeFileSync(path, bytes);
    return judged(async () => {
      if (bytes.length === 0) return right;
      const found = await readThrough(await open(path, {}));
      const expected = readLibsvm(bytes.toString("latin1"));
      if (expected === undefined) return taken;
      return found === expected ? right : wrong(`${found.slice(0, 60)} for ${expected.slice(0, 60)}`);
    });
  },

  async packed(rng, { corpus, scratch }) {
    const ending = pick(rng, ["gz", "bz2", "xz", "zst"]);
    const path = join(scratch, `data.svm.${ending}`);
    writeFileSync(path, mutated(rng, bytesOf(corpus, `small.svm.${ending}`)));
    const parts: Buffer[] = [];
    try {
      for await (const part of fileBytes(path, () => {})) parts.push(Buffer.from(part));
    } catch {
      return { verdict: "refused", words: "" };
    }
    const plain = Buffer.concat(parts);
    return plain.equals(bytesOf(corpus, "small.svm")) ? right : wrong(`${plain.length} other bytes`);
  },

  ...TABLE_CASES,

  /** Names of columns are whatever they are. */
  async names(rng, { scratch }) {
    const names = Array.from({ length: 3 }, (_, i) => {
      const parts = Array.from({ length: 1 + below(rng, 3) }, () =>
        pick(rng, [...TOKENS, "a", "B", "x y", "select"]),
      );
      return `${"pqr"[i]}${parts.join("").replace(/[\0\r\n]/g, "_")}`;
    });
    const quoted = names.map((name) => `"${name.replaceAll('"', '""')}"`);
    const path = join(scratch, "names.csv");
    writeFileSync(path, `${quoted.join(",")}\n${"1,2,3\n4,5,6\n7,8,10\n".repeat(4)}`);
    const outcome = await judged(async () => {
      const table = await open(path);
      const found = table.by === "columns" ? table.columns.map(({ name }) => name) : [];
      table.close?.();
      const same = JSON.stringify(found) === JSON.stringify(names.map((name) => name.trim()));
      return same || JSON.stringify(found) === JSON.stringify(names)
        ? right
        : wrong(JSON.stringify([names, found]));
    });
    // There is nothing in them to refuse.
    return outcome.verdict === "refused" ? wrong(outcome.words) : outcome;
  },

  /** Words on the command line, on a file that is not there: never more than one sentence. */
  async words(rng, { scratch }) {
    const commands = [
      "fit",
      "import",
      "predict",
      "report",
      "compare",
      "mixed",
      "simulate",
      "reproduce",
      "verify",
      "resume",
    ];
    const options = [
      "target",
      "columns",
      "exclude",
      "memory",
      "seed",
      "threads",
      "chains",
      "step-size",
      "batch",
      "out",
    ];
    const value = () =>
      pick(rng, [...TOKENS, "y", "3", "-5", "1GB", "auto", "polynomial:1,2,3", "*a*a*a*a*b"]);
    const argv = [pick(rng, commands), join(scratch, "nowhere", value().replaceAll("\0", ""))];
    for (let i = below(rng, 4); i > 0; i--)
      argv.push(`--${pick(rng, options)}${pick(rng, ["", "=", "x="])}${value()}`, value());
    return line(argv);
  },
};

/** A command line in this process: done, or one sentence. */
async function line(argv: readonly string[]): Promise<Outcome> {
  let said = "";
  const effects = {
    ...{ out() {}, open() {}, now: () => 0, terminal: false, width: 80, screen: paper },
    err(text: string) {
      said += text;
    },
    signal: new AbortController().signal,
  };
  const status = await runCli(argv, effects);
  if (status === 0) return taken;
  const fine = /^sparrow: [^\n]*[.?]\n$/.test(said) && !said.includes("something unexpected");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be found
  const clean = !/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/.test(said);
  return { verdict: fine && clean ? "refused" : "broken", words: said };
}

export function freshPlace(corpus: string, scratch: string): Place {
  mkdirSync(scratch, { recursive: true });
  return { corpus, scratch };
}
