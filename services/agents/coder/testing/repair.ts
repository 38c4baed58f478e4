import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { openStandIns, temporaryFolder } from "#shared/testing";
import type { TestAnswer } from "#shared/testing/system";
import { TRIAL_LIMITS_DEFAULT } from "../trial/run-tests.ts";
import type { Trial } from "../trial/try-diff.ts";
import { createCoderTeam } from "../team.ts";
import type { CodeResult } from "../result.ts";
import type { CoderSetup } from "../setup.ts";

export const SAMPLES_DIR = new URL("../samples/checkouts", import.meta.url).pathname;

const TASKS = readFileSync(new URL("../samples/tasks.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");

export const SAMPLES = TASKS.map((line): { readonly id: string; readonly input: object } => JSON.parse(line));

export function taskOf(id: string): object {
  return SAMPLES.find((sample) => sample.id === id)?.input ?? {};
}

export function writeProject(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** A trial of the tests of a project with these files, in folders of the test's own. */
export function openTrial(
  files: Readonly<Record<string, string>>,
  more: Partial<Trial> = {},
): Trial & { readonly base: string } {
  const base = temporaryFolder();
  writeProject(join(base, "project"), files);
  return {
    base,
    root: join(base, "project"),
    scratchDir: join(base, "scratch"),
    diff: null,
    allowed: { editable: [], tests: [] },
    before: null,
    limits: TRIAL_LIMITS_DEFAULT,
    signal: new AbortController().signal,
    ...more,
  };
}

/** A setup over some checkouts, with scratch copies in a folder of the test's own. */
export function openSetup(checkoutsDir = SAMPLES_DIR, more: Partial<CoderSetup> = {}): CoderSetup {
  const scratch = join(temporaryFolder(), "scratch");
  return { checkoutsDir: () => checkoutsDir, scratchDir: () => scratch, ...more };
}

/** One task through the whole team with its recordings, or with these answers. Real copies, real tests. */
export async function repair(
  task: object,
  answers: Readonly<Record<string, TestAnswer>> = {},
  setup = openSetup(),
): Promise<CodeResult> {
  const team = await openStandIns(createCoderTeam(setup));
  Object.assign(team.answers, answers);
  // Every agent of this team completes with such a result.
  return (await team.run(task)).result as CodeResult;
}

/** Returns the unified diff from one text to another, with three lines around each change; "" where they are equal. */
export function writeDiff(path: string, before: string, after: string): string {
  if (before === after) return "";
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, options);
}
