import { z } from "zod";
import { tool, ToolProblemError } from "#shared/runtime/tools";
import type { Tool } from "#shared/runtime/tools";
import { projectPath } from "../contracts.ts";
import { isUnder } from "./project-path.ts";
import { readText, searchText, walkFiles } from "./checkout-files.ts";
import type { ProjectFile } from "./checkout-files.ts";

/** Files that one listing gives, and lines and characters that one reading gives. */
const LISTED_MAX = 200;
const LINES_MAX = 200;
const READ_CHARACTERS_MAX = 12_000;
const HITS_MAX = 30;

/** Returns tools that list, search and read a checkout. Hidden files are left out: they often hold keys. */
export function lookAround(root: string): readonly Tool[] {
  return [listFiles(root), search(root), readFile(root)];
}

async function walk(root: string, signal: AbortSignal): Promise<ProjectFile[]> {
  return (await walkFiles({ root, signal })).filter(({ path }) => !isHidden(path));
}

function isHidden(path: string): boolean {
  return path.split("/").some((step) => step.startsWith("."));
}

function listFiles(root: string): Tool {
  return tool("list_files", {
    description: `Lists the project's files below a folder, ${LISTED_MAX} at most.`,
    input: z.strictObject({
      under: projectPath.optional().describe("A folder. Default: the whole project."),
    }),
    output: z.object({ paths: z.array(z.string()), more: z.int() }),
    effect: "none",
    taint: "checkout",
    outputBytesMax: 48 * 1024,
    call: async ({ under }, { signal }) => {
      const files = await walk(root, signal);
      const paths = files
        .map(({ path }) => path)
        .filter((path) => under === undefined || isUnder(path, [under]));
      return { paths: paths.slice(0, LISTED_MAX), more: Math.max(0, paths.length - LISTED_MAX) };
    },
  });
}

function search(root: string): Tool {
  return tool("search", {
    description: `Looks for a text in the project's files, verbatim. Gives ${HITS_MAX} lines at most.`,
    input: z.strictObject({ text: z.string().min(2).max(120) }),
    output: z.object({
      hits: z.array(z.object({ path: z.string(), line: z.int(), text: z.string() })),
      is_cut: z.boolean(),
    }),
    effect: "none",
    taint: "checkout",
    call: async ({ text }, { signal }) => {
      const files = await walk(root, signal);
      const { hits, isCut } = await searchText({ root, files, terms: [text], hitsMax: HITS_MAX, signal });
      return {
        hits: hits.map(({ path, line, text: found }) => ({ path, line, text: found })),
        is_cut: isCut,
      };
    },
  });
}

function readFile(root: string): Tool {
  return tool("read_file", {
    description: `Reads lines of a text file of the project, ${LINES_MAX} at most.`,
    input: z.strictObject({ path: projectPath, from_line: z.int().min(1).optional() }),
    output: z.object({ text: z.string(), from_line: z.int(), lines_in_all: z.int() }),
    effect: "none",
    taint: "checkout",
    outputBytesMax: 48 * 1024,
    call: async ({ path, from_line: from = 1 }) => {
      const text = isHidden(path) ? null : await readText({ root, path });
      if (text === null) throw new ToolProblemError("The project has no such text file that may be read.");
      const lines = text.split("\n");
      const read = lines.slice(from - 1, from - 1 + LINES_MAX).join("\n");
      return { text: read.slice(0, READ_CHARACTERS_MAX), from_line: from, lines_in_all: lines.length };
    },
  });
}
