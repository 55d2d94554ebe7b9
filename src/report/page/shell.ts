/** What every page is: one file that needs nothing else: no scripts, no fonts, no network. */

import { html, type Markup, trusted } from "./markup.js";
import { pageStyle } from "./style.js";

export interface PageParts {
  readonly title: string;
  /** The answer and the verdict; then one section after another. */
  readonly opening: Markup;
  readonly sections: readonly (Markup | undefined)[];
  readonly footer: Markup;
}

export function pageHtml({ title, opening, sections, footer }: PageParts): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(pageStyle)}</style>
</head>
<body>
<main>
${opening}
${sections.map(
  (section) =>
    section &&
    html`${section}
`,
)}<footer>${footer}</footer>
</main>
</body>
</html>
`.text;
}

/** Says what was run, so that it can be run again. */
export function recordFooter({
  version,
  seed,
  data,
}: {
  readonly version: string;
  readonly seed: number;
  readonly data: { readonly checksum: string };
}): Markup {
  return html`Sparrow ${version} · seed ${seed} · data checksum <span class="mono">${data.checksum}</span>`;
}
