import { createTwoFilesPatch } from "diff";
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { CommandRefusedError } from "../errors.ts";
import { write } from "../print/print-answer.ts";
import { writeFiles, fillTemplates } from "../templates/fill-templates.ts";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { composeFile } from "../compose/compose-file.ts";
import { mergeManifest, testsByVitest } from "./merge-manifest.ts";

/**
 * Makes a folder a project. Adds files, and what `package.json` and `.gitignore` lack; asks where it is not empty.
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

/** A file to be written: a new one, or one to which something is added. */
interface ProjectFile {
  readonly path: string;
  /** Null: there is none. */
  readonly before: string | null;
  readonly text: string;
}

/** The team that a new project begins with. */
const FIRST = "hello";
const NOT_KEPT = ["node_modules/", ".suture/", ".env"];
/** The configuration of Redis that a project begins with. */
export const REDIS_CONF = fileURLToPath(new URL("../../../infra/redis/redis.conf", import.meta.url));

/** Returns what a project lacks. @param read - A file's text or null. @throws {CommandRefusedError} package.json. */
export function projectFiles(read: (path: string) => string | null, name: string): ProjectFile[] {
  const isOfVitest = ({ path }: { readonly path: string }): boolean =>
    path === "vitest.config.ts" || path.endsWith(".test.ts");
  const hasVitest = testsByVitest(read("package.json"));
  const added = [
    ...fillTemplates("project", FIRST),
    ...[...fillTemplates("team", FIRST), ...fillTemplates("agent", FIRST)].map(({ path, text }) => ({
      path: `teams/${FIRST}/${path}`,
      text,
    })),
    { path: "compose.yml", text: composeFile([firstTeam()], { fileTeams: ["documents"] }) },
    { path: "redis.conf", text: readFileSync(REDIS_CONF, "utf8") },
  ].filter((one) => read(one.path) === null && (hasVitest || !isOfVitest(one)));
  const merged = [
    { path: "package.json", text: mergeManifest(read("package.json"), name) },
    { path: ".gitignore", text: mergeIgnored(read(".gitignore")) },
  ];
  return [...merged, ...added]
    .map(({ path, text }) => ({ path, before: read(path), text }))
    .filter(({ before, text }) => before !== text);
}

/** The first team's graph, from which its compose file is made before it can be loaded. */
function firstTeam() {
  const anything = contract("hello.request@1", z.object({}));
  const options = { accepts: anything, answers: [anything] };
  return team(FIRST, [agent(`${FIRST}@1`, { ...options, handle: (_input, ctx) => ctx.complete({}) })]);
}

function mergeIgnored(before: string | null): string {
  const lines = (before ?? "").split("\n").map((line) => line.trim());
  const lacking = NOT_KEPT.filter(
    (one) => !lines.some((line) => [one, one.replace(/\/$/, "")].includes(line)),
  );
  if (lacking.length === 0) return before ?? "";
  const start = before === null || before === "" || before.endsWith("\n") ? (before ?? "") : `${before}\n`;
  return `${start}${lacking.join("\n")}\n`;
}
