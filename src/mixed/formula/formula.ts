/**
 * Formulas as lme4 and others write them: `rating ~ price + (1 + price | user) + (1 | film)`. Fixed effects are columns,
 * and products of columns by `:` or `*`; `factor(x)` takes the values of x for categories; `0` takes the intercept away.
 * In a term `|` lets effects correlate, `||` does not, `a:b` groups by both columns and `a/b` is short for `a` and `a:b`.
 * Names between backquotes are set aside before anything is read, so that no sign in them means anything.
 */

import { SparrowError } from "../../errors.js";
import { option } from "../../wording.js";

export interface Formula {
  readonly target: string;
  /** Whether there is a fixed intercept. */
  readonly intercept: boolean;
  /** Columns, or products of columns. */
  readonly fixed: readonly (readonly string[])[];
  readonly terms: readonly FormulaTerm[];
}

export interface FormulaTerm {
  /** The columns that say which level a row belongs to, together. */
  readonly group: readonly string[];
  readonly intercept: boolean;
  readonly columns: readonly (readonly string[])[];
}

export function parseFormula(formula: string): Formula {
  const { text, back } = setAside(formula);
  try {
    const found = withNames(parsed(text), back);
    refuseTarget(formula, found);
    return found;
  } catch (error) {
    throw error instanceof SparrowError ? new SparrowError(back(error.marked, "`"), error.code) : error;
  }
}

/** Private letters of Unicode, one of which stands for each name between backquotes; the first are those of wording.ts. */
const PRIVATE = 0xf000;

interface SetAside {
  readonly text: string;
  /** The same with the names in their places, between quotes where they are asked for. */
  back(text: string, quote?: string): string;
}

function setAside(formula: string): SetAside {
  const names: string[] = [];
  const text = formula.replace(/`([^`]*)`/g, (_, name: string) => {
    const known = names.indexOf(name);
    return String.fromCharCode(PRIVATE + (known < 0 ? names.push(name) - 1 : known));
  });
  const back = (part: string, quote = ""): string =>
    part.replace(/[\uf000-\uf8ff]/g, (letter) => {
      const name = names[letter.charCodeAt(0) - PRIVATE];
      return name === undefined ? letter : quote + name + quote;
    });
  return { text, back };
}

function withNames({ target, intercept, fixed, terms }: Formula, back: (name: string) => string): Formula {
  const products = (columns: Formula["fixed"]) => columns.map((product) => product.map((name) => back(name)));
  return {
    target: back(target),
    intercept,
    fixed: products(fixed),
    terms: terms.map((term) => ({
      group: term.group.map((name) => back(name)),
      intercept: term.intercept,
      columns: products(term.columns),
    })),
  };
}

function parsed(text: string): Formula {
  const [left, right, ...more] = text.split("~");
  const target = left.trim();
  if (right === undefined || more.length > 0 || target === "") {
    throw wrong(text, "write target ~ columns + (columns | group)");
  }
  const terms: FormulaTerm[] = [];
  const plain: string[] = [];
  for (const part of summands(right, text)) {
    if (!part.startsWith("(")) plain.push(part);
    else terms.push(...groupedTerms(part.slice(1, -1), text));
  }
  const { intercept, columns } = columnsOf(plain, text);
  return { target, intercept, fixed: columns, terms };
}

function refuseTarget(formula: string, { target, fixed, terms }: Formula): void {
  const used = [...fixed, ...terms.flatMap((term) => [...term.columns, term.group])].flat();
  if (used.some((name) => (categoryOf(name) ?? name) === target)) {
    throw wrong(formula, `the target "${target}" cannot be a predictor or a group as well`);
  }
}

/** Of `a + b - 1 + (…)`, what stands between the signs outside parentheses; what is taken away is "0". */
function summands(text: string, whole: string): string[] {
  const out: string[] = [];
  let [depth, current, taken] = [0, "", false];
  const push = () => {
    const part = current.trim();
    if (part === "") throw wrong(whole, "something is missing between two signs");
    if (taken && part !== "1") throw wrong(whole, "only the intercept can be taken away, by - 1 or 0 +");
    out.push(taken ? "0" : part);
    current = "";
  };
  for (const sign of text) {
    if (sign === "`") throw wrong(whole, UNCLOSED);
    if (sign === "(") depth++;
    if (sign === ")") depth--;
    if (depth === 0 && (sign === "+" || sign === "-")) {
      // A formula may begin with - 1.
      if (out.length > 0 || current.trim() !== "" || sign === "+") push();
      taken = sign === "-";
    } else current += sign;
  }
  if (depth !== 0) throw wrong(whole, UNCLOSED);
  push();
  return out;
}

const UNCLOSED = "a parenthesis or a quote does not close";

function groupedTerms(text: string, whole: string): FormulaTerm[] {
  const [left, right, ...more] = text.split(/\|\|?/);
  if (right === undefined || more.length > 0)
    throw wrong(whole, "a term in parentheses is (columns | group)");
  const { intercept, columns } = columnsOf(summands(left, whole), whole);
  if (!intercept && columns.length === 0)
    throw wrong(whole, `(${text.trim()}) has no effect that could differ`);
  return groupsOf(right, whole).flatMap((group) =>
    text.includes("||")
      ? [
          ...(intercept ? [{ group, intercept, columns: [] }] : []),
          ...columns.map((column) => ({ group, intercept: false, columns: [column] })),
        ]
      : [{ group, intercept, columns }],
  );
}

/** `a/b/c` is a, a:b and a:b:c. */
function groupsOf(text: string, whole: string): string[][] {
  const parts = text.split("/").map((part) => part.split(":").map((name) => name.trim()));
  if (parts.flat().some((name) => name === "")) throw wrong(whole, "a group has no name");
  for (const name of parts.flat()) refuseGroup(name, whole);
  return parts.map((_, i) => [...new Set(parts.slice(0, i + 1).flat())]);
}

/** What R would work out before it groups, in one of the ways that are written here. */
function refuseGroup(name: string, whole: string): void {
  const inner = categoryOf(name);
  if (inner !== undefined && !/[()]/.test(inner))
    throw wrong(whole, `the values of a column name groups as they are: write (… | ${inner}) for "${name}"`);
  const [one, other, ...more] = name.split(/[*+]/).map((each) => each.trim());
  if (other !== undefined && !/[()]/.test(name)) {
    const each = [one, other, ...more].map((group) => `(… | ${group})`).join(" + ");
    const pairs = name.includes("*") ? `, and (… | ${[one, other, ...more].join(":")}) for their pairs` : "";
    throw wrong(whole, `"${name}" is no column: write ${each} for groups by each${pairs}`);
  }
  if (/[()^*+]/.test(name)) throw wrong(whole, `"${name}" is no column: ${BEFOREHAND}`);
  if (name === ".") throw wrong(whole, `"." stands for no column: ${NAME_THEM}`);
}

const BEFOREHAND = "functions and powers are columns that you make beforehand";
const NAME_THEM = "name the columns that you mean, one by one";

function refuseFunction(part: string, whole: string): void {
  if (part === ".") throw wrong(whole, `"." stands for no column: ${NAME_THEM}`);
  const offset = /^offset\((.*)\)$/.exec(part)?.[1].trim();
  if (offset !== undefined) {
    throw wrong(
      whole,
      /[()^*+/-]/.test(offset)
        ? `"${part}" is no column: make a column of ${offset} beforehand and name it with ${option("offset")}`
        : `"${part}" is no column: name the offset with ${/^[\w.]+$/.test(offset) ? option("offset", offset) : option("offset")}`,
    );
  }
  if (/[()^|]/.test(part.replace(/factor\([^()]*\)/g, "")))
    throw wrong(whole, `"${part}" is no column: ${BEFOREHAND}`);
  if (part.includes("/")) {
    const within = part.split("/").map((name) => name.trim());
    const sum = within.map((_, i) => within.slice(0, i + 1).join(":")).join(" + ");
    throw wrong(whole, `"${part}" is no column: write ${sum} for columns within columns`);
  }
}

function columnsOf(parts: readonly string[], whole: string): { intercept: boolean; columns: string[][] } {
  const columns: string[][] = [];
  let intercept = true;
  for (const part of parts) {
    if (part === "1" || part === "0") {
      intercept = part === "1";
      continue;
    }
    refuseFunction(part, whole);
    const factors = part.split("*").map((factor) => factor.split(":").map((name) => name.trim()));
    if (factors.flat().some((name) => name === "")) throw wrong(whole, `"${part}" lacks a column`);
    // a*b is a + b + a:b, and so on.
    const products: string[][] = [];
    for (const factor of factors) {
      products.push(factor, ...products.map((other) => [...other, ...factor]));
    }
    for (const product of products.sort((a, b) => a.length - b.length)) {
      if (!columns.some((other) => other.join("\0") === product.join("\0"))) columns.push(product);
    }
  }
  return { intercept, columns };
}

/** The column that `factor(x)` is about; nothing for other names. */
export const categoryOf = (name: string): string | undefined => /^factor\((.*)\)$/.exec(name)?.[1].trim();

const wrong = (formula: string, why: string): SparrowError =>
  new SparrowError(`The formula "${formula.trim()}" cannot be read: ${why}.`, "option");
