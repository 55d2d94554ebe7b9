/**
 * Every command without a network, under strace: no socket is asked for, nothing is written but what was named and
 * temporary files, and nothing is read but that, the program itself, and what Node and the system need to start.
 */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Sandbox {
  /** Where data, outputs and temporary files are. */
  readonly folder: string;
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface Held {
  readonly what: string;
  readonly held: boolean;
  readonly more: string;
}

/** Commands that nobody kills, as words. */
export function others(at: (...names: string[]) => string): [string, string[]][] {
  const out = (name: string) => ["--out", at("outs", name)];
  return [
    ["verify", ["verify", at("ref-fit")]],
    ["report", ["report", at("ref-fit"), "--quiet"]],
    ["describe", ["describe", at("wide.csv"), "--target", "y"]],
    ["simulate", ["simulate", "linear", "--rows", "500", "--columns", "5", ...out("simulated.parquet")]],
    [
      "an engine in this process",
      ["fit", at("outs", "simulated.parquet"), "--target", "y", "--engine", "duckdb", "--quiet"],
    ],
    ["verify data", ["verify", at("outs", "simulated.parquet")]],
    [
      "compare",
      [
        "compare",
        at("holes.csv"),
        "--target",
        "y",
        "--missing",
        "drop",
        "--methods",
        "esgld,lasso",
        ...out("page.html"),
      ],
    ],
    ["resume", ["resume", at("ref-fit")]],
    ["completion", ["completion", "bash"]],
    ["help", ["fit", "--help"]],
    ["a pattern", ["fit", at("wid*.csv"), "--target", "y", "--quiet"]],
    ["an address", ["fit", "s3://nowhere/data.csv", "--target", "y"]],
    ["an address with a pattern", ["fit", "https://localhost/*.parquet", "--target", "y"]],
  ];
}

const SYSTEM = [
  "/lib",
  "/lib64",
  "/usr",
  "/etc/ld.so",
  "/etc/ssl",
  "/etc/localtime",
  "/proc",
  "/sys",
  "/dev",
];
const CALLS =
  "socket,connect,bind,sendto,open,openat,creat,mkdir,mkdirat,rename,renameat,link,symlink,unlink,unlinkat";

export function* sandboxed(
  commands: readonly (readonly [string, readonly string[]])[],
  { folder, program, env }: Sandbox,
): Iterable<Held> {
  const trace = join(folder, "trace");
  const node = dirname(dirname(realpathSync(process.execPath)));
  const root = join(dirname(program), "../..");
  const own = [root, realpathSync(join(root, "node_modules")), node];
  const readable = [folder, ...own, ...SYSTEM];
  for (const [name, argv] of commands) {
    const traced = ["-n", "strace", "-f", "-qq", "-s", "400", "-o", trace, "-e", `trace=${CALLS}`];
    const result = spawnSync("unshare", [...traced, process.execPath, program, ...argv], {
      encoding: "utf8",
      env,
    });
    if (result.error !== undefined || !existsSync(trace)) {
      yield { what: `sandbox: ${name}`, held: true, more: "not tried: unshare or strace is not there" };
      continue;
    }
    const calls = readFileSync(trace, "utf8").split("\n");
    const bad = calls.filter((call) => isBad(call, folder, readable));
    const isDone = result.status === 0 || name.startsWith("an address");
    const more = [...(isDone ? [] : [result.stderr.trim()]), ...bad].slice(0, 3).join(" ").slice(0, 300);
    const held = isDone && bad.length === 0;
    yield { what: `sandbox: ${name}`, held, more: held ? "no socket, no file but those named" : more };
  }
}

function isBad(call: string, folder: string, readable: readonly string[]): boolean {
  if (/\b(socket|connect|bind|sendto)\(/.test(call)) return true;
  // What is not there was not read, and what a thread resumes was listed when it began.
  if (/= -1 |resumed>/.test(call)) return false;
  const paths = [...call.matchAll(/"(\/[^"]*)"/g)].map(([, path]) => path);
  const isWriting =
    /O_WRONLY|O_RDWR|O_CREAT|\b(mkdir|mkdirat|rename|renameat|link|symlink|unlink|unlinkat|creat)\(/.test(
      call,
    );
  if (isWriting)
    return paths.some((path) => !within(path, folder) && !/^\/dev\/(null|tty|shm)|^\/proc\/self/.test(path));
  return paths.some((path) => !readable.some((each) => within(path, each)));
}

const within = (path: string, folder: string): boolean => path === folder || path.startsWith(folder);
