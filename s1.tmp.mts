import { fitTable, } from "/work/trees/glm/dist/fit.js";
import { threads } from "/work/trees/glm/dist/node.js";
import { simulatedTable, trueCoefficients } from "/work/trees/glm/dist/experiments/simulated.js";
const [kind, preset, seed, rows, columns, extra] = process.argv.slice(2);
const t0 = process.cpuUsage();
let start = 0;
const now = () => { const u = process.cpuUsage(); return (u.user + u.system) / 1e6; };
const result: any = await fitTable(simulatedTable({ kind, rows: +rows, columns: +columns, seed: +seed } as any), { target: "y", family: kind === "logistic" ? "binomial" : kind === "poisson" ? "poisson" : "gaussian", preset, seed: +seed, ...(JSON.parse(extra ?? "{}")), onProgress: ({stage, done, total}: any) => { if (stage === "read" && done === total) start = now(); } } as any, threads);
const truth = trueCoefficients(+columns, kind as any);
let [mse1, mse0] = [0, 0];
for (const v of result.variables) { if (!v.name.startsWith("z")) continue; const j = +v.name.slice(1) - 1; const e = (v.mean - truth[j]) ** 2; if (truth[j]) mse1 += e / 8; else mse0 += e / (+columns - 8); }
console.log({ cpu: now() - start, selected: result.variables.filter((v: any) => v.selected).map((v: any) => v.name).join(" "), mse1, mse0, timing: result.timing, size: result.modelSize.mean, cert: result.certificate, intercept: result.intercept, top: result.variables.slice(0, 10).map((v: any) => `${v.name} ${v.pip.toFixed(3)} ${v.mean.toFixed(3)}`), warnings: result.diagnostics.warnings, settings: result.settings });
process.exit(0);
