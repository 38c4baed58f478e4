import { createTwoFilesPatch } from "diff";
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { CommandRefusedError } from "../errors.ts";
import { write } from "../print/print-answer.ts";
import { writeFiles } from "../templates/fill-templates.ts";
import { projectFiles } from "./project-files.ts";
import type { ProjectFile } from "./project-files.ts";

/**
 * Makes a folder a project. Adds only: files that are there stay as they are, but for what `package.json` and
 * `.gitignore` lack. In a folder that is not empty it shows what it would write and asks first.
 *
 * @throws {CommandRefusedError} The folder cannot be made one, or nobody agreed.
 */
export async function initProject(
  folder: string,
  { isAgreed }: { readonly isAgreed: boolean },
): Promise<void> {
  const root = resolve(folder);
  const files = projectFiles((path) => readIfThere(join(root, path)), basename(root));
  if (files.length === 0) return write("Everything is there already: nothing to add.");
  const isFresh = readIfThere(join(root, "package.json")) === null;
  if (!isFresh) files.forEach(show);
  if (!isFresh && !isAgreed) await agree();
  writeFiles(root, files);
  write(`Written: ${files.map(({ path }) => path).join(", ")}.`);
  write(
    files.some(({ path }) => path.endsWith(".test.ts"))
      ? NEXT_STEPS
      : NEXT_STEPS.replace(TEST_STEP, OWN_RUNNER),
  );
}

const TEST_STEP = "Run the test: npm test";
const OWN_RUNNER = "Write a test for your own runner: openTeam of suture/testing works with any";
const NEXT_STEPS = `1. Install: npm install
2. ${TEST_STEP}
3. Start everything: npm run dev
4. Send a task: echo '{"text":"Hello. How are you?"}' | npx suture submit hello --input - --watch`;

function show({ path, before, text }: ProjectFile): void {
  if (before === null) return write(`new: ${path}, ${text.split("\n").length - 1} lines`);
  write(createTwoFilesPatch(path, path, before, text, "as it is", "as it would be").trimEnd());
}

async function agree(): Promise<void> {
  const remedy = "Run `suture init --yes` to write it without being asked.";
  if (!process.stdin.isTTY)
    throw new CommandRefusedError("Nothing was written: nobody is here to agree.", remedy);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("Write this? [y/N] ");
  terminal.close();
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandRefusedError("Nothing was written.", remedy);
}

function readIfThere(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}
