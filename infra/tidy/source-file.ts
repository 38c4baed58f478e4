import { lstatSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { isRecord } from "#shared/json";

/** One text file of the project. */
export interface SourceFile {
  /** From the project's folder, with slashes. */
  readonly path: string;
  readonly lines: readonly string[];
  /** TypeScript or JavaScript. */
  readonly isCode: boolean;
  readonly isTest: boolean;
  /** The same lines with the contents of texts and comments blanked; the lines as they are if it is no code. */
  readonly masked: readonly string[];
  /** Numbers of the lines that hold a comment, from 1. */
  readonly commentLines: ReadonlySet<number>;
}

/** Something that a rule does not allow. */
export interface Finding {
  readonly path: string;
  /** From 1; 0 for the file as a whole. */
  readonly line: number;
  /** Says the fault, why it matters, and what to do instead. */
  readonly message: string;
}

export type Rule = (files: readonly SourceFile[]) => readonly Finding[];

const SKIPPED_FOLDERS = new Set(["node_modules", ".git", ".suture", "coverage", "dist", "built"]);
const TEXT_FILE =
  /\.(?:tsx?|mts|mjs|js|json|jsonl|md|ya?ml|conf|lua|html|css|txt|sh)$|(?:^|\/)(?:Dockerfile|run|\.npmrc|\.gitignore)$/;
const FILE_BYTES_MAX = 4 * 1024 * 1024;

/** Every text file below `root`, sorted by path. */
export function readSourceFiles(root: string): SourceFile[] {
  return listFiles(root, "").map((path) => createSourceFile(path, readFileSync(join(root, path), "utf8")));
}

export function createSourceFile(path: string, text: string): SourceFile {
  const isCode = /\.(?:tsx?|mts|mjs|js)$/.test(path);
  const isTest = /\.test\.tsx?$/.test(path) || /(?:^|\/)(?:tests|testing|bench)\//.test(path);
  const { masked, commentLines } = isCode
    ? maskCode(path, text)
    : { masked: text, commentLines: new Set<number>() };
  return { path, lines: text.split("\n"), isCode, isTest, masked: masked.split("\n"), commentLines };
}

function listFiles(root: string, folder: string): string[] {
  const found: string[] = [];
  for (const name of readdirSync(join(root, folder)).toSorted()) {
    const path = folder === "" ? name : `${folder}/${name}`;
    const stat = lstatSync(join(root, path));
    if (stat.isDirectory() && !SKIPPED_FOLDERS.has(name)) found.push(...listFiles(root, path));
    else if (stat.isFile() && stat.size <= FILE_BYTES_MAX && TEXT_FILE.test(path)) found.push(path);
  }
  return found;
}

/** A finding for every line of the file's code, or of its text, that the pattern matches. */
export function findLines(
  file: SourceFile,
  search: { in: "masked" | "lines"; pattern: RegExp; message: string },
): Finding[] {
  return file[search.in].flatMap((line, index) =>
    search.pattern.test(line) ? [{ path: file.path, line: index + 1, message: search.message }] : [],
  );
}

interface MaskedCode {
  /** As long as the code, line by line, with blanks for the contents of texts, patterns and comments. */
  readonly masked: string;
  /** Numbers of the lines that hold a comment, from 1. */
  readonly commentLines: ReadonlySet<number>;
}

type Range = readonly [start: number, end: number];

/** Blanks what is not code, so that a rule does not take a word in a text or a comment for a call. */
export function maskCode(path: string, code: string): MaskedCode {
  const { program, comments } = parseSync(path, code);
  const ofComments = comments.map(({ start, end }): Range => [start, end]);
  const chars = code.split("");
  for (const [start, end] of [...ofComments, ...textsIn(program, /\.(?:mts|tsx?)$/.test(path))])
    for (let at = start; at < end; at += 1) if (chars[at] !== "\n") chars[at] = " ";
  const lineOf = (at: number): number => code.slice(0, at).split("\n").length;
  const lines = ofComments.flatMap(([start, end]) => {
    const first = lineOf(start);
    return Array.from({ length: lineOf(end) - first + 1 }, (_, index) => first + index);
  });
  return { masked: chars.join(""), commentLines: new Set(lines) };
}

/** Returns the insides of texts, patterns and parts of templates below a node. */
function textsIn(node: unknown, isTyped: boolean): Range[] {
  if (Array.isArray(node)) return node.flatMap((one) => textsIn(one, isTyped));
  if (!isRecord(node)) return [];
  const { type, value, start, end } = node;
  if (typeof start === "number" && typeof end === "number") {
    // In TypeScript the signs around a part belong to it.
    if (type === "TemplateElement")
      return [isTyped ? [start + 1, end - (node["tail"] === true ? 1 : 2)] : [start, end]];
    if (type === "Literal" && (typeof value === "string" || "regex" in node)) return [[start + 1, end - 1]];
  }
  return Object.values(node).flatMap((one) => textsIn(one, isTyped));
}
