import { design } from "./designs.js";
import { fitArrays } from "./fit.js";
for (let seed=1; seed<=72; seed++){ const { result } = await fitArrays(design({ rows: 100, columns: 400, seed: 1000 + seed, kind: "noise" }), undefined, seed); 
const sel=result.variables.filter(v=>v.selected); if(sel.length>0) console.log(seed, sel.map(v=>`${v.name} ${v.pip.toFixed(2)}`).join(", "), result.verdict.slice(0,200), result.modelSize.mean.toFixed(2), result.settings.slab, JSON.stringify(result.fit ?? result.scores ?? "").slice(0,200)); }
