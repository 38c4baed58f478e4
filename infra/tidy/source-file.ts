import { lstatSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { maskCode } from "./mask-code.ts";

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
  /** What is wrong, why that matters, and what to do instead. */
  readonly message: string;
}

export type Rule = (files: readonly SourceFile[]) => readonly Finding[];

const SKIPPED_FOLDERS = new Set(["node_modules", ".git", ".suture", "coverage", "dist"]);
const TEXT_FILE =
  /\.(?:ts|mts|mjs|js|json|jsonl|md|ya?ml|conf|lua|html|css|txt|sh)$|(?:^|\/)(?:Dockerfile|run|\.npmrc|\.gitignore)$/;
const FILE_BYTES_MAX = 4 * 1024 * 1024;

/** Every text file below `root`, sorted by path. */
export function readSourceFiles(root: string): SourceFile[] {
  return listFiles(root, "").map((path) => createSourceFile(path, readFileSync(join(root, path), "utf8")));
}

export function createSourceFile(path: string, text: string): SourceFile {
  const isCode = /\.(?:ts|mts|mjs|js)$/.test(path);
  const isTest = path.endsWith(".test.ts") || /(?:^|\/)(?:tests|testing|bench)\//.test(path);
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
