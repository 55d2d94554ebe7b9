/** The style of a report: one column of text, colours that follow the reader's light or dark, no fonts to load. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: #fdfdfb; --ink: #22262b; --soft: #5c646e; --quiet: #8b939c; --faint: #d5d9de; --wash: #f2f3f0;
  --strong: #1f5f8b; --positive: #1f5f8b; --negative: #b0492f; --good: #3c7d4f; --bad: #a8620b;
  --chain1: #1f5f8b; --chain2: #b0492f; --chain3: #4d8050; --chain4: #7d5a96;
  --set1: #7d4f9e; --set2: #2f7f67; --set3: #96650f; --set4: #b03a78; --set5: #4c6fb5; --set6: #7a6a3a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --ink: #e4e6e8; --soft: #a3abb4; --quiet: #7f8892; --faint: #363c44; --wash: #1d2126;
    --strong: #7db8e3; --positive: #7db8e3; --negative: #e79a80; --good: #83c795; --bad: #e5b266;
    --chain1: #7db8e3; --chain2: #e79a80; --chain3: #9ccf9d; --chain4: #c3a2dc;
    --set1: #c3a2dc; --set2: #7ccdb4; --set3: #e2b45f; --set4: #ec8fbe; --set5: #9db7ec; --set6: #cabd8a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  overflow-wrap: break-word;
}
main { max-width: 47rem; margin: 0 auto; padding: 3.2rem 1.5rem 4rem; }
h1 { font-size: 2.05rem; line-height: 1.2; letter-spacing: -0.018em; margin: 0.35rem 0 1rem; font-weight: 680; text-wrap: balance; }
h2 { font-size: 1.3rem; line-height: 1.3; letter-spacing: -0.01em; margin: 3.4rem 0 0.5rem; font-weight: 640; }
h3 { font-size: 1rem; line-height: 1.4; margin: 1.8rem 0 0.2rem; font-weight: 640; }
p { margin: 0.6rem 0; }
a { color: var(--strong); }
bdi { unicode-bidi: isolate; }
.about { color: var(--soft); font-size: 0.92rem; margin: 0; }
.brand { color: var(--strong); font-weight: 650; }
.names { display: flex; flex-wrap: wrap; gap: 0.4rem; margin: 0 0 1.4rem; padding: 0; list-style: none; }
.names li { background: var(--wash); border-radius: 1rem; padding: 0.14rem 0.8rem; font-weight: 600; max-width: 100%; }
.names small { color: var(--soft); font-weight: 400; font-size: 0.85rem; margin-left: 0.35rem; font-variant-numeric: tabular-nums; }
.verdict { border-left: 4px solid var(--good); background: var(--wash); padding: 0.85rem 1.1rem; border-radius: 0 8px 8px 0; margin: 1.4rem 0; }
.verdict.doubt { border-color: var(--bad); }
.verdict strong { color: var(--good); }
.verdict.doubt strong { color: var(--bad); }
.verdict p { margin: 0.25rem 0; }
.kind {
  display: inline-block; border: 1px solid currentColor; border-radius: 999px; font-size: 0.72rem; line-height: 1.5;
  padding: 0 0.55rem; font-weight: 600; letter-spacing: 0.02em; vertical-align: 0.12em; color: var(--soft); white-space: nowrap;
}
.kind.exact { color: var(--good); }
.kind.approximate { color: var(--bad); }
figure { margin: 1.1rem 0 0.4rem; }
figure svg { display: block; width: 100%; height: auto; }
.grid { display: grid; gap: 0.9rem 1.1rem; }
.grid.of3 { grid-template-columns: repeat(3, minmax(0, 1fr)); }
.grid.of2 { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.8rem; }
.cell { display: flex; flex-direction: column; justify-content: flex-end; }
.cell { min-width: 0; }
.cell p { margin: 0; font-size: 0.85rem; line-height: 1.35; overflow-wrap: anywhere; }
.set {
  display: inline-block; min-width: 1.35em; padding: 0 0.3em; margin-right: 0.4em; border-radius: 0.3em; color: var(--paper);
  font-size: 0.75rem; line-height: 1.45; font-weight: 700; text-align: center; vertical-align: 0.08em;
}
.member { display: flex; align-items: baseline; }
.member > span:last-child { min-width: 0; overflow-wrap: anywhere; }
.flag, .range { white-space: nowrap; }
figcaption, .note { color: var(--soft); font-size: 0.92rem; margin-top: 0.5rem; }
.narrow { display: none; }
@media (max-width: 560px) {
  .wide { display: none; }
  .narrow { display: block; }
  main { padding: 1.6rem 1.1rem 3rem; }
  h1 { font-size: 1.6rem; }
  h2 { margin-top: 2.6rem; }
  .roomy { display: none; }
}
details { margin: 0.7rem 0; }
summary { cursor: pointer; color: var(--strong); font-size: 0.95rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 0.7rem 0; font-size: 0.92rem; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 0.3rem 0 0.3rem 0.9rem; border-bottom: 1px solid var(--faint); vertical-align: top; }
th { font-weight: 600; color: var(--soft); vertical-align: bottom; text-wrap: balance; }
th:first-child, td:first-child { text-align: left; padding-left: 0; overflow-wrap: anywhere; min-width: 9rem; }
tr.selected td:first-child { font-weight: 650; }
table.plain td { text-align: left; overflow-wrap: anywhere; }
table.plain th { text-align: left; width: 12rem; vertical-align: top; }
pre { background: var(--wash); border-radius: 8px; padding: 0.9rem 1.1rem; font-size: 0.82rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; }
code, .mono { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: 0.9em; }
.key { display: inline-block; width: 0.75em; height: 0.75em; border-radius: 50%; vertical-align: -0.03em; margin: 0 0.3em 0 0.15em; }
.key.square { border-radius: 2px; }
.key.ring { border: 1.5px solid var(--quiet); }
footer { margin-top: 3.4rem; padding-top: 1rem; border-top: 1px solid var(--faint); color: var(--soft); font-size: 0.86rem; }
@media (max-width: 560px) {
  table { font-size: 0.82rem; }
  th, td { padding-left: 0.55rem; }
  th:first-child, td:first-child { min-width: 4rem; }
  table.plain th { width: 9rem; }
  /* Long names have a line of their own, the numbers one below it. */
  table.stacked, table.stacked thead, table.stacked tbody { display: block; }
  table.stacked tr { display: grid; grid-template-columns: repeat(var(--cells), minmax(0, 1fr)); border-bottom: 1px solid var(--faint); }
  table.stacked th, table.stacked td { border: 0; padding: 0.2rem 0 0.2rem 0.4rem; }
  table.stacked th:first-child, table.stacked td:first-child { grid-column: 1 / -1; padding-left: 0; }
  table.stacked th { font-size: 0.7rem; padding-left: 0.25rem; overflow-wrap: normal; }
  table.stacked td:not(:first-child) { padding-top: 0; }
  table.stacked .roomy { display: none; }
}
@media print {
  :root {
    color-scheme: light;
    --paper: #ffffff; --ink: #22262b; --soft: #4c545e; --quiet: #8b939c; --faint: #d5d9de; --wash: #f2f3f0;
    --strong: #1f5f8b; --positive: #1f5f8b; --negative: #b0492f; --good: #3c7d4f; --bad: #a8620b;
    --chain1: #1f5f8b; --chain2: #b0492f; --chain3: #4d8050; --chain4: #7d5a96;
    --set1: #7d4f9e; --set2: #2f7f67; --set3: #96650f; --set4: #b03a78; --set5: #4c6fb5; --set6: #7a6a3a;
  }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { font-size: 11pt; }
  main { max-width: none; padding: 0; }
  h2 { margin-top: 2rem; }
  h1, h2, h3, thead, summary { break-after: avoid; }
  /* What follows a heading stays with it, and so does what a picture says of itself. */
  h2 + p, h3 + p, h2 + p + p { break-after: avoid; break-inside: avoid; }
  figure, .cell, .verdict, tr, li, pre, .note { break-inside: avoid; }
  figcaption { break-before: avoid; }
  p { orphans: 3; widows: 3; }
  thead { display: table-header-group; }
  .scroll { overflow: visible; }
  summary { list-style: none; color: var(--soft); font-weight: 600; }
  summary::-webkit-details-marker { display: none; }
  details::details-content { content-visibility: visible; display: block; }
}
`;
