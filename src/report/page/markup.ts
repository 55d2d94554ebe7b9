/** HTML as tagged templates: whatever is put in is escaped, unless it is markup already. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | undefined | false | readonly Part[];

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((text, piece, i) => text + shown(parts[i - 1]) + piece));
}

/** Marks text as HTML that needs no escaping. For what the program itself has made, never for data. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

function shown(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(shown).join("");
  return escaped(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

/** What HTML forbids, and what turns the direction of the text that follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;

export function printable(text: string): string {
  return text.replace(UNPRINTABLE, "\ufffd");
}
