import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "#shared/testing";
import { checkShell } from "./check-shell.ts";
import { compileModules, writeModules } from "./compile-blocks.ts";
import { readBlocks } from "./read-blocks.ts";
import type { Block } from "./read-blocks.ts";

/** Checks every code block of the README and `docs`, but those that say why not: `sql unchecked: …`. */

const BLOCKS = readBlocks();
const FOLDER = ".suture/docs-blocks";
const LANGUAGES = ["ts", "sh", "json", "yaml", "mermaid"];

const blocksOf = (language: string): Block[] =>
  BLOCKS.filter((block) => block.language === language && block.unchecked === null);

/** Returns where and why `check` throws, for each block. */
function faultsOf(blocks: readonly Block[], check: (code: string) => unknown): string[] {
  return blocks.flatMap(({ page, line, code }) => {
    try {
      check(code);
      return [];
    } catch (error) {
      return [`${page}:${line}: ${String(error)}`];
    }
  });
}

it("has no block of another language that does not say why it is not checked", () => {
  const silent = BLOCKS.filter(
    ({ language, unchecked }) => unchecked === null && !LANGUAGES.includes(language),
  );
  expect(silent.map(({ page, line, language }) => `${page}:${line}: ${language}`)).toEqual([]);
});

it("compiles every block of TypeScript", () => {
  const blocks = blocksOf("ts");
  expect(compileModules(writeModules(blocks, FOLDER), FOLDER)).toEqual([]);
  expect(blocks.length).toBeGreaterThan(20);
});

it("runs the blocks of TypeScript that are marked so", async () => {
  const modules = writeModules(
    blocksOf("ts").filter((block) => block.isRun),
    `${FOLDER}-run`,
  );
  for (const { file } of modules) await import(join(process.cwd(), file));
  expect(modules.length).toBeGreaterThan(0);
});

it("runs the blocks of shell that are marked so", () => {
  const blocks = blocksOf("sh").filter((block) => block.isRun);
  const faults = blocks.flatMap(({ page, line, code, around }) => {
    const { status, stderr } = runShell(`${around.before}${code}${around.after}`);
    return status === 0 ? [] : [`${page}:${line}: ended with ${String(status)}: ${stderr}`];
  });
  expect(faults).toEqual([]);
  expect(blocks.length).toBeGreaterThan(0);
});

it("names commands, options, scripts, settings and requests that there are", () => {
  const blocks = blocksOf("sh");
  const faults = blocks.flatMap(({ page, line, code }) =>
    checkShell(code).map((fault) => `${page}:${line + fault.line}: ${fault.message}`),
  );
  expect(faults).toEqual([]);
  expect(blocks.length).toBeGreaterThan(30);
});

it("shows JSON and YAML that can be read", () => {
  const isLines = (code: string): boolean =>
    code
      .trim()
      .split("\n")
      .every((line) => /^\{.*\}$/.test(line));
  const faults = faultsOf(blocksOf("json"), (code) =>
    isLines(code)
      ? code
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
      : JSON.parse(code),
  );
  expect([...faults, ...faultsOf(blocksOf("yaml"), (code) => parse(code))]).toEqual([]);
});

/** Of one block, in ms. */
const TIMEOUT_MS = 120_000;

/** Runs a block in an empty folder, with the repository's own `suture` behind `npx suture`. */
function runShell(code: string): { readonly status: number | null; readonly stderr: string } {
  const suture = `npx() { [ "$1" = suture ] || return 127; shift; "$NODE" --disable-sigusr1 "$MAIN" "$@"; }`;
  const env = { ...process.env, NODE: process.execPath, MAIN: join(process.cwd(), "services/cli/main.ts") };
  const options = { cwd: temporaryFolder(), env, encoding: "utf8", timeout: TIMEOUT_MS } as const;
  return spawnSync("bash", ["-eu", "-c", `${suture}\n${code}`], options);
}
