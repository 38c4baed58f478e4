import { stripTypeScriptTypes } from "node:module";
import { parse } from "acorn";
import type { AnyNode, Program } from "acorn";
import { fullAncestor } from "acorn-walk";
import { isScript } from "../checkout/project-path.ts";
import type { SourceText } from "../checkout/select-sources.ts";

/** A named function or method, with its lines from 1 and every word in it. */
export interface FunctionPlace {
  readonly path: string;
  readonly name: string;
  readonly line: number;
  readonly lastLine: number;
  readonly words: ReadonlySet<string>;
}

/** Calls back for every node of a file with its parent. A file that is not JavaScript or TypeScript has no nodes. */
export function visitNodes(source: SourceText, visit: (node: AnyNode, ancestors: AnyNode[]) => void): void {
  const program = parseSource(source);
  if (program !== null) fullAncestor(program, (node, _, ancestors) => visit(node, ancestors));
}

function parseSource({ path, text }: SourceText): Program | null {
  try {
    // Types are replaced with blanks, so that positions stay those of the file.
    const code = /\.[cm]?ts$/.test(path) ? stripTypeScriptTypes(text) : text;
    return parse(code, {
      ecmaVersion: "latest",
      sourceType: "module",
      locations: true,
      allowHashBang: true,
    });
  } catch {
    return null;
  }
}

/** `def name(`, `func name(` and `func (r T) name(`, with what stands before them. */
const DEFINITION = /^(\s*)(?:async\s+)?(?:def|func(?:\s+\([^)]*\))?)\s+(\w+)/;

/** Returns the named functions of a file of Python or Go: each ends before the next line that is not deeper. */
function listByIndent({ path, text }: SourceText): FunctionPlace[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const [, indent = "", name] = DEFINITION.exec(line) ?? [];
    if (name === undefined) return [];
    const rest = lines.slice(index + 1);
    const after = rest.findIndex(
      (next) => /\S/.test(next) && !next.startsWith(`${indent} `) && !next.startsWith(`${indent}\t`),
    );
    const own = lines.slice(index, after < 0 ? undefined : index + 1 + after);
    return [{ path, name, line: index + 1, lastLine: index + own.length, words: wordsOf(own.join("\n")) }];
  });
}

/** Returns the named functions of a file. */
export function listFunctions(source: SourceText): FunctionPlace[] {
  if (!isScript(source.path)) return listByIndent(source);
  const found: FunctionPlace[] = [];
  visitNodes(source, (node) => {
    const name = nameOfFunction(node);
    if (name === null || !node.loc) return;
    const words = wordsOf(source.text.slice(node.start, node.end));
    const { start, end } = node.loc;
    found.push({ path: source.path, name, line: start.line, lastLine: end.line, words });
  });
  return found;
}

function nameOfFunction(node: AnyNode): string | null {
  if (node.type === "FunctionDeclaration") return node.id?.name ?? null;
  if (node.type === "MethodDefinition") return node.key.type === "Identifier" ? node.key.name : null;
  if (node.type !== "VariableDeclarator" || node.init?.type !== "ArrowFunctionExpression") return null;
  return node.id.type === "Identifier" ? node.id.name : null;
}

/** Returns every word of a text that can be an identifier. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[A-Za-z_$][\w$]*/g));
}
