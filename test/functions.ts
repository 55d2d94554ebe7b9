import { parseAst } from "vite";

export interface FunctionShape {
  readonly name: string;
  readonly lines: number;
  readonly parameters: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly params?: readonly unknown[];
  readonly id?: { readonly name: string } | null;
}

/** Every function of a TypeScript file: how long it is, and how many parameters it takes. */
export function functions(source: string, lang: "ts" | "tsx" = "ts"): FunctionShape[] {
  const found: FunctionShape[] = [];
  const lineAt = (at: number) => source.slice(0, at).split("\n").length;
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, name);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    const node = value as Node & Record<string, unknown>;
    const own = nameOf(node) ?? name;
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) {
      found.push({
        name: own,
        lines: lineAt(node.end) - lineAt(node.start) + 1,
        parameters: node.params?.length ?? 0,
      });
    }
    for (const [key, child] of Object.entries(node)) if (key !== "parent") visit(child, own);
  };
  visit(parseAst(source, { lang }), "the file");
  return found;
}

function nameOf(node: Node & Record<string, unknown>): string | undefined {
  const named = (node.id ?? node.key) as { readonly name?: string } | null | undefined;
  return named?.name;
}
