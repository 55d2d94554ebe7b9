/**
 * Numbers as people write them: `1,234.50`, `1.234,50`, `1 234`, `$12`, `12 €`, `45%`, `(3.20)`, `'007`, `−4`. Which of
 * comma and point is the decimal one cannot be told from a cell alone, so a cell is read under one of the two, and the
 * column decides (number-evidence.ts).
 */

export type Decimal = "." | ",";

export interface ReadNumber {
  readonly value: number;
  /** The sign or code of a currency that stood beside it. */
  readonly currency?: string;
  readonly percent?: true;
  /** Whether a character stood between thousands. */
  readonly grouped?: true;
}

const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;
const CURRENCY =
  /^(?:US\$|A\$|C\$|R\$|kr\.?|zł|Kč|Ft|CHF|USD|EUR|GBP|JPY|CNY|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|BRL|ZAR|Rs\.?|[\p{Sc}])$/u;
const DECORATED = /^(\D*?)\s*([+-]?)\s*((?:\d|[.,]\d).*?)\s*([^\d]*)$/u;

/** Between thousands, besides whichever of comma and point is not the decimal one. */
const GAPS = " \u00a0\u2009\u202f'’_";

const FORMS: Readonly<
  Record<Decimal, { readonly grouped: RegExp; readonly plain: RegExp; readonly gap: RegExp }>
> = {
  ".": form("\\.", ","),
  ",": form(",", "\\."),
};

function form(decimal: string, other: string) {
  const gap = `[${GAPS}${other}]`;
  const rest = `(?:${decimal}\\d*)?`;
  // Every gap of a number is the same one. The second form is that of India: 12,34,567.
  return {
    grouped: new RegExp(
      `^[1-9]\\d{0,2}(?:(${gap})\\d{3})(?:\\1\\d{3})*${rest}$|^[1-9]\\d?(?:,\\d{2})+,\\d{3}${decimal === "," ? "(?!)" : rest}$`,
    ),
    plain: new RegExp(`^(?:\\d+${decimal}?\\d*|${decimal}\\d+)(?:e[+-]?\\d+)?$`, "i"),
    gap: new RegExp(gap, "g"),
  };
}

/** The number of a cell without spaces around it; undefined where it is none. */
export function readNumber(cell: string, decimal: Decimal): ReadNumber | undefined {
  if (decimal === "." && PLAIN.test(cell)) return { value: Number(cell) };
  const infinite = INFINITE.exec(cell);
  if (infinite) return { value: infinite[1] === "-" ? -Infinity : Infinity };
  // Spreadsheets mark text with an apostrophe; accounts write what is owed in brackets.
  const bare = cell.replace(/^['’]/, "").replaceAll("\u2212", "-");
  const owed = /^\((.*)\)$/.exec(bare);
  const [, before, sign, core, after] = DECORATED.exec((owed?.[1] ?? bare).trim()) ?? [];
  if (core === undefined) return undefined;
  const around = decorations(before, after);
  const value = coreNumber(core, decimal);
  if (!around || value === undefined) return undefined;
  // One sign is enough.
  if (Number(owed !== null) + Number(around.signed) + Number(sign !== "") > 1) return undefined;
  const negative = around.negative || sign === "-" || owed !== null;
  return { ...value, ...around.marks, value: negative ? -value.value : value.value };
}

function coreNumber(core: string, decimal: Decimal): { value: number; grouped?: true } | undefined {
  const { grouped, plain, gap } = FORMS[decimal];
  if (plain.test(core)) return { value: Number(decimal === "," ? core.replace(",", ".") : core) };
  if (!grouped.test(core)) return undefined;
  const joined = core.replace(gap, "");
  return { value: Number(decimal === "," ? joined.replace(",", ".") : joined), grouped: true };
}

/** What may stand before and after the digits: one sign, one currency, a percent sign. */
function decorations(before: string, after: string) {
  const [, sign, lead] = /^([+-]?)\s*(.*)$/s.exec(before.trim())!;
  const [, trail, minus] = /^(.*?)\s*(-?)$/s.exec(after.trim())!;
  if (sign !== "" && minus !== "") return undefined;
  const marks: { currency?: string; percent?: true } = {};
  for (const word of [lead, trail]) {
    if (word === "") continue;
    if (word === "%" && !marks.percent) marks.percent = true;
    else if (CURRENCY.test(word) && marks.currency === undefined) marks.currency = word;
    else return undefined;
  }
  return { signed: sign !== "" || minus !== "", negative: sign === "-" || minus !== "", marks };
}
