import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { uuidv7 } from "#shared/clock";
import { temporaryFolder } from "#shared/testing";
import { TRIAL_LIMITS_DEFAULT } from "../trial/run-tests.ts";
import type { Trial } from "../trial/try-diff.ts";
import { MemoryRuntime } from "../../support/testing/memory-runtime.ts";
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

export function openRuntime(setup: CoderSetup): MemoryRuntime {
  return new MemoryRuntime(createCoderTeam(setup));
}

/** One task through the whole team with its recordings, without queues. Real copies, real tests. */
export async function repairInMemory(
  runtime: MemoryRuntime,
  task: object,
): Promise<{ result: CodeResult; path: string[] }> {
  const run_id = uuidv7();
  const path = [runtime.team.entry.name];
  let outcome = await runtime.deliver(runtime.team.entry.name, task, { run_id });
  while (outcome.kind === "handed_off") {
    const [handoff] = outcome.handoffs;
    if (handoff === undefined || path.length > 40) throw new Error("no end");
    path.push(handoff.to);
    outcome = await runtime.deliver(handoff.to, handoff.payload, { run_id, contract: handoff.contract.id });
  }
  if (outcome.kind !== "completed") throw new Error(`${outcome.kind} by ${path.at(-1) ?? "nobody"}`);
  // Every agent of this team completes with a result.
  return { result: outcome.result as CodeResult, path };
}
