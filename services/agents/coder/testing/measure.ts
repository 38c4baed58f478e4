// Runs the team, with its stand-ins, on the labelled checkouts and holds what it accepted against tests that it never
// saw: `node services/agents/coder/testing/measure.ts [name…]`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { uuidv7 } from "#shared/clock";
import { MemoryRuntime } from "../../support/testing/memory-runtime.ts";
import { belongsToTests } from "../checkout/project-path.ts";
import { createCoderTeam } from "../create-team.ts";
import { applyDiff } from "../diff/apply-diff.ts";
import { CHECKOUT_LIMITS_DEFAULT, TRIAL_LIMITS_DEFAULT } from "../limits.ts";
import { tryDiff } from "../trial/try-diff.ts";
import type { CodeResult } from "../result.ts";
import { labelledSet, writeFiles } from "../eval/labelled-set.ts";
import type { LabelledCheckout } from "../eval/read-archive.ts";

const MODULES = new URL("../../../../node_modules", import.meta.url).pathname;
/** Fixes that never end are common among small changes. */
const LIMITS = { ...TRIAL_LIMITS_DEFAULT, suiteMs: 10_000, commandMs: 30_000 };
const base = mkdtempSync(join(tmpdir(), "suture-coder-eval-"));
const setup = {
  checkoutsDir: () => join(base, "checkouts"),
  scratchDir: () => join(base, "scratch"),
  modulesDir: () => MODULES,
  trialLimits: LIMITS,
};

async function repair(one: LabelledCheckout): Promise<CodeResult> {
  writeFiles(join(base, "checkouts", one.name), one.files);
  const runtime = new MemoryRuntime(createCoderTeam(setup));
  const run_id = uuidv7();
  const task = { checkout: one.name, issue: one.report, rounds_max: 3 };
  let outcome = await runtime.deliver("planner", task, { run_id });
  while (outcome.kind === "handed_off") {
    const [handoff] = outcome.handoffs;
    if (handoff === undefined) throw new Error("no end");
    outcome = await runtime.deliver(handoff.to, handoff.payload, { run_id, contract: handoff.contract.id });
  }
  if (outcome.kind !== "completed") throw new Error(outcome.kind);
  // Every agent of this team completes with a result.
  return outcome.result as CodeResult;
}

/** Returns true when the diff passes the tests that the team did not see. */
async function isRight(one: LabelledCheckout, diff: string): Promise<boolean> {
  const applied = applyDiff(diff, (path) => one.files.get(path) ?? null);
  if (!applied.ok) return false;
  const root = join(base, "judged", one.name);
  const isGo = one.runner === "go test" || one.language === "shell";
  const code = [...one.files].filter(([path]) => !belongsToTests(path));
  const judges = [...one.hidden].map(([path, text]): [string, string] => [
    isGo ? path : `hidden/${path}`,
    text,
  ]);
  const fixed = new Map<string, string | null>([...code, ...applied.files]);
  writeFiles(
    root,
    [...fixed].flatMap(([path, text]) => (text === null ? [] : [[path, text] as const])),
  );
  writeFiles(root, judges);
  const allowed = { editable: [], tests: [], mayChangeTests: true };
  const limits = { checkoutLimits: CHECKOUT_LIMITS_DEFAULT, limits: TRIAL_LIMITS_DEFAULT };
  const signal = new AbortController().signal;
  const { verdict } = await tryDiff({
    root,
    scratchDir: setup.scratchDir(),
    diff: null,
    allowed,
    before: null,
    modules: MODULES,
    ...limits,
    signal,
  });
  return verdict === "green";
}

const wanted = process.argv.slice(2);
const left = labelledSet().filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
);

async function measureNext(): Promise<void> {
  for (let one = left.shift(); one !== undefined; one = left.shift()) {
    const result = await repair(one);
    const right = result.diff === null ? "" : (await isRight(one, result.diff)) ? "right" : "wrong";
    const fields = [one.name, one.runner, one.suite, result.status, right, result.reasons.join(" | ")];
    process.stdout.write(`${fields.join("\t")}\n`);
  }
}

await Promise.all([measureNext(), measureNext(), measureNext(), measureNext()]);
rmSync(base, { recursive: true, force: true });
