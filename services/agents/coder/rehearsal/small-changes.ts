import type { AnyNode } from "acorn";
import { diffChars } from "diff";
import { isScript } from "../checkout/project-path.ts";
import type { SourceText } from "../checkout/select-sources.ts";
import { listMutants } from "../proof/list-mutants.ts";
import { visitNodes, wordsOf } from "./read-code.ts";

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One change to one file. */
export interface SmallChange {
  readonly path: string;
  readonly kind: "operator" | "number" | "await" | "copy" | "conversion" | "name";
  readonly line: number;
  readonly edits: readonly Edit[];
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  "<": ["<="],
  "<=": ["<"],
  ">": [">="],
  ">=": [">"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "===": ["!=="],
  "!==": ["==="],
  "&&": ["||"],
  "||": ["??", "&&"],
};

const NAME_DISTANCE_MAX = 2;

/** Lists changes to single operators, numbers and words in the lines of a file that is no script. */
function listLineChanges({ path, text }: SourceText): SmallChange[] {
  let at = 0;
  return text.split("\n").flatMap((own, index) => {
    const start = at;
    at += own.length + 1;
    const mutants = listMutants({ path, line: index + 1, text: own });
    return mutants.map(({ mutated }): SmallChange => {
      const kind = own.replaceAll(/\d+/g, "") === mutated.replaceAll(/-?\d+/g, "") ? "number" : "operator";
      return { path, kind, line: index + 1, edits: [{ start, end: start + own.length, text: mutated }] };
    });
  });
}

/** Lists changes to single operators, numbers, calls and values of a file. */
export function listChanges(source: SourceText): SmallChange[] {
  if (!isScript(source.path)) return listLineChanges(source);
  const found: SmallChange[] = [];
  visitNodes(source, (node, ancestors) => {
    const line = node.loc?.start.line ?? 1;
    const add = (kind: SmallChange["kind"], edits: readonly Edit[]): void => {
      for (const edit of edits) found.push({ path: source.path, kind, line, edits: [edit] });
    };
    if (node.type === "BinaryExpression" || node.type === "LogicalExpression") {
      const start = source.text.indexOf(node.operator, node.left.end);
      const end = start + node.operator.length;
      add("operator", OPERATORS[node.operator]?.map((text) => ({ start, end, text })) ?? []);
    }
    add("number", otherNumbers(node));
    if (isCopiedInPlace(node)) add("copy", [insert(node.arguments[0]?.start ?? node.end, "{}, ")]);
    if (node.type === "CallExpression" && isUnawaited(ancestors))
      add("await", [insert(node.start, "await ")]);
    add("conversion", conversions(node, ancestors.at(-2)));
  });
  return found;
}

function insert(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

function otherNumbers(node: AnyNode): Edit[] {
  if (node.type !== "Literal" || typeof node.value !== "number") return [];
  const { start, end, value } = node;
  return [value - 1, value + 1].map((other) => ({ start, end, text: String(other) }));
}

/** `Object.assign(shared, …)` changes what it should copy. */
function isCopiedInPlace(node: AnyNode): node is Extract<AnyNode, { type: "CallExpression" }> {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return false;
  const { object, property } = node.callee;
  const isAssign = object.type === "Identifier" && property.type === "Identifier";
  return (
    isAssign &&
    object.name === "Object" &&
    property.name === "assign" &&
    node.arguments[0]?.type === "Identifier"
  );
}

function isUnawaited(ancestors: readonly AnyNode[]): boolean {
  const around = ancestors.findLast(({ type }) => /Function/.test(type));
  return around !== undefined && "async" in around && around.async
    ? ancestors.at(-2)?.type !== "AwaitExpression"
    : false;
}

/** Reads text as a number: `{ count }` and `total += count`. */
function conversions(node: AnyNode, parent: AnyNode | undefined): Edit[] {
  if (node.type === "Property" && node.shorthand && parent?.type === "ObjectExpression")
    return node.key.type === "Identifier" ? [insert(node.end, `: Number(${node.key.name})`)] : [];
  if (node.type !== "AssignmentExpression" || node.operator !== "+=") return [];
  if (node.right.type !== "Identifier") return [];
  return [{ start: node.right.start, end: node.right.end, text: `Number(${node.right.name})` }];
}

/** Lists renamings of a word that a file uses to the words nearest to it, everywhere in the file. */
export function listRenamings(source: SourceText, wrong: string, words: ReadonlySet<string>): SmallChange[] {
  const places = [...source.text.matchAll(/[A-Za-z_$][\w$]*/g)].filter(([word]) => word === wrong);
  const line = source.text.slice(0, places[0]?.index ?? 0).split("\n").length;
  return [...words]
    .filter((word) => word !== wrong && places.length > 0 && distanceOf(word, wrong) <= NAME_DISTANCE_MAX)
    .map((text) => ({
      path: source.path,
      kind: "name",
      line,
      edits: places.map(({ index }) => ({ start: index, end: index + wrong.length, text })),
    }));
}

function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > NAME_DISTANCE_MAX) return Infinity;
  return diffChars(a, b, { ignoreCase: true })
    .filter(({ added, removed }) => added || removed)
    .reduce((sum, { count }) => sum + count, 0);
}

/** Returns all words of all files. */
export function allWords(sources: readonly SourceText[]): Set<string> {
  return new Set(sources.flatMap(({ text }) => [...wordsOf(text)]));
}
