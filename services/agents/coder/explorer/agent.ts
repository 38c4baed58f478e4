import { z } from "zod";
import { agent, readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { contract } from "#shared/contract";
import { lookAround } from "../checkout/look-around.ts";
import { belongsToTests } from "../checkout/project-path.ts";
import { readText, searchText, selectSources, walkFiles } from "../checkout/checkout-files.ts";
import {
  ExplorationOrder,
  PatchOrder,
  projectPath,
  remark,
  suspect,
  WRITTEN_TEST_CHARACTERS_MAX,
  WRITTEN_TESTS_MAX,
} from "../contracts.ts";
import type { Plan, Suspect, WrittenTest } from "../contracts.ts";
import { SUITE_RUNS } from "../proof/prove-fix.ts";
import { aimOf, reportUnclear } from "../result.ts";
import { tryDiff, trialResult } from "../trial/try-diff.ts";
import type { Trial } from "../trial/try-diff.ts";
import { pathsOf } from "../trial/report.ts";
import type { FailingTest, TestReport } from "../trial/report.ts";
import { findRoot, trialOf } from "../setup.ts";
import type { CoderSetup } from "../setup.ts";
import { RECORDED } from "../recordings.ts";

const RootCause = contract(
  "explorer.root-cause@1",
  z.object({
    cause: remark,
    /** The likeliest first. */
    suspects: z.array(suspect).min(1).max(10),
  }),
  { description: "What most likely causes the failures, and the places that may hold it." },
);

const WrittenTests = contract(
  "explorer.tests@1",
  z.object({
    tests: z
      .array(
        z.object({
          path: projectPath,
          text: z.string().min(1).max(WRITTEN_TEST_CHARACTERS_MAX),
          shows: remark,
        }),
      )
      .max(WRITTEN_TESTS_MAX),
    /** Demands of the report that no test shows. "": there are none. */
    open: z.string().max(1000).meta({ "x-surgeon-writes": true }),
  }),
  {
    description: "Test files, each of which fails as long as the bug is there and passes once it is fixed.",
    check: ({ tests }) =>
      tests.flatMap(({ path }, index) =>
        belongsToTests(path)
          ? []
          : [{ path: `/tests/${index}/path`, code: "not_a_test", message: "the path is not one of a test" }],
      ),
  },
);

const to = { patcher: PatchOrder };

const PROMPT = new URL("prompt.md", import.meta.url);
const INSTRUCTIONS = readPrompt(PROMPT, "root-cause");
const TESTS_INSTRUCTIONS = readPrompt(PROMPT, "tests");

const PATHS_SHOWN_MAX = 500;

/** Answers with calls of tools before the cause has to be named. */
const LOOKS_MAX = 6;

const HANDLER_TIMEOUT_MS = 900_000;

/** Makes the failure happen in a copy, searches the checkout, and says what causes it. Changes nothing in it. */
export function createExplorer(setup: CoderSetup) {
  return agent("explorer@1", {
    accepts: ExplorationOrder,
    guard: { mayCause: [] },
    to,
    description: "Reproduces the failure in a copy, searches the checkout and names the cause.",
    capabilities: ["code-search"],
    answers: [RootCause, WrittenTests],
    standIns: { "root-cause": RECORDED["root-cause"], tests: RECORDED.tests },
    concurrency: 2,
    handlerTimeoutMs: HANDLER_TIMEOUT_MS,
    handle: async ({ task, plan }, ctx) => {
      const root = await findRoot(setup, task.checkout);
      const trial = trialOf(setup, task, root);
      const seen = await ctx.step("reproduce", (signal) => reproduce({ ...trial, signal }));
      const { report } = seen.first;
      const unclear = (reason: string) => ctx.complete(reportUnclear({ task, plan }, { reason, report }));
      if (report === null) return unclear(seen.first.told);
      if (report.failing.length > 0 && report.failing.every((test) => seen.wavering.includes(nameOf(test))))
        return unclear(`Every red test is green in some of ${SUITE_RUNS} runs: the suite wavers.`);
      const found = await explore(ctx, { root, plan, failing: report.failing });
      const about = { issue: task.issue, goal: plan.goal, failing: report.failing, sources: found.sources };
      const aim = aimOf(plan, "reproduce");
      const { red, tests, open } = await writeRed(
        ctx,
        { ...about, aim, runner: "node:test", paths: found.paths },
        (signal) => ({
          trial: { ...trial, signal },
          own: report,
        }),
      );
      const isOwn = report.failed > 0;
      if (!isOwn && red.length === 0) return unclear(whyUnclear(tests, open));
      const written = isOwn ? [] : red;
      const shown = isOwn
        ? report
        : (await ctx.step("show", (signal) => tryDiff({ ...trial, written, signal }))).report;
      if (shown === null) return unclear("The written tests could not be run.");
      const grounded = await findCauseOf(
        ctx,
        { ...about, aim: aimOf(plan, "search"), failing: shown.failing, hits: found.hits },
        root,
      );
      return ctx.handoff(
        "patcher",
        {
          task,
          plan,
          round: 1,
          cause: grounded.cause,
          suspects: grounded.suspects,
          before: shown,
          written,
          held_out: isOwn ? red : [],
          doubts: doubtsOf(seen.wavering, open),
          attempts: [],
          best: null,
        },
        { reason: "the failure is understood", expectedOutput: "a unified diff that turns the tests green" },
      );
    },
  });
}

/** Asks for tests of the report's bug and keeps those that are red on the code as it is. */
async function writeRed(
  ctx: Context<typeof to>,
  input: Readonly<Record<string, unknown>> & { readonly paths: readonly string[] },
  as: (signal: AbortSignal) => { readonly trial: Trial; readonly own: TestReport },
): Promise<{ red: WrittenTest[]; tests: number; open: string }> {
  const asked = { instructions: TESTS_INSTRUCTIONS, input, answers: WrittenTests };
  const { tests, open } = await ctx.model("tests", asked);
  const written = tests.map(({ path, text }) => ({ path, text }));
  const taken = new Set(input.paths);
  const red = await ctx.step("try-tests", (signal) => keepRed(written, { ...as(signal), taken }));
  return { red, tests: tests.length, open };
}

/** Asks for the cause and the places that may hold it, after a look around; drops places that do not exist. */
async function findCauseOf(ctx: Context<typeof to>, input: object, root: string): Promise<Cause> {
  const tools = lookAround(root);
  const asked = { instructions: INSTRUCTIONS, input, answers: RootCause, tools, toolRoundsMax: LOOKS_MAX };
  const { cause, suspects } = await ctx.model("root-cause", asked);
  const grounded = await ctx.step("ground", () => keepGrounded(suspects, root));
  if (grounded.length < suspects.length) ctx.log.warn("places that the checkout does not have were left out");
  return { cause, suspects: grounded };
}

interface Cause {
  readonly cause: string;
  readonly suspects: Suspect[];
}

function doubtsOf(wavering: readonly string[], open: string): string[] {
  const wavers = `Before the fix the suite wavers already: ${wavering.join("; ")}`;
  const asked = `No test shows all that is asked for: ${open}`;
  return [...(wavering.length > 0 ? [wavers] : []), ...(open.trim() === "" ? [] : [asked])].map((doubt) =>
    doubt.slice(0, 1000),
  );
}

function whyUnclear(tests: number, open: string): string {
  const why =
    tests === 0
      ? "The checkout's tests are green, and no test could be written from the report."
      : `The checkout's tests are green, and ${tests === 1 ? "the test" : `none of the ${tests} tests`} written from the report ${tests === 1 ? "is green too" : "shows the bug"}.`;
  return `${why} ${open}`.trim();
}

interface Exploration {
  readonly root: string;
  readonly plan: Plan;
  readonly failing: readonly FailingTest[];
}

async function explore(ctx: Context<typeof to>, { root, plan, failing }: Exploration) {
  const { signal } = ctx;
  const files = await walkFiles({ root, signal });
  const { hits } = await ctx.step("search", () =>
    searchText({ root, files, terms: plan.search_terms, signal }),
  );
  const named = [...pathsOf(failing), ...hits.map(({ path }) => path)];
  const paths = files.map(({ path }) => path).slice(0, PATHS_SHOWN_MAX);
  return { hits, sources: await selectSources(root, files, named), paths };
}

/** Keeps the places that are there: a text file of the checkout that is no test, and a line that it has. */
async function keepGrounded(suspects: readonly Suspect[], root: string): Promise<Suspect[]> {
  const kept: Suspect[] = [];
  for (const one of suspects) {
    const { path, line } = one;
    const text = belongsToTests(path) ? null : await readText({ root, path });
    if (text !== null && line <= text.split("\n").length) kept.push(one);
  }
  return kept;
}

const reproduction = z.object({
  first: trialResult,
  /** Names of tests that did not say the same in every run. */
  wavering: z.array(z.string()).max(12),
});

type Reproduction = z.output<typeof reproduction>;

/** Runs the checkout's tests as they are: once where they are green, else as often as a proof asks for. */
export async function reproduce(trial: Trial): Promise<Reproduction> {
  const first = await tryDiff(trial);
  if (first.report === null || first.verdict !== "red") return { first, wavering: [] };
  const runs: TestReport[] = [first.report];
  while (runs.length < SUITE_RUNS) {
    const { report } = await tryDiff(trial);
    if (report !== null) runs.push(report);
  }
  const names = runs.map((report) => new Set(report.failing.map(nameOf)));
  const all = new Set(names.flatMap((each) => [...each]));
  const wavering = [...all].filter((name) => !names.every((each) => each.has(name)));
  return { first, wavering: wavering.slice(0, 12) };
}

function nameOf({ file, name }: Pick<FailingTest, "file" | "name">): string {
  return `${file}: ${name}`;
}

/** Keeps the written tests that load, and fail on the code as it is: others prove nothing about a fix. */
async function keepRed(
  tests: readonly WrittenTest[],
  {
    trial,
    own,
    taken,
  }: { readonly trial: Trial; readonly own: TestReport; readonly taken: ReadonlySet<string> },
): Promise<WrittenTest[]> {
  const kept: WrittenTest[] = [];
  for (const test of tests) {
    if (taken.has(test.path) || kept.some(({ path }) => path === test.path)) continue;
    const { report } = await tryDiff({ ...trial, written: [test] });
    if (report !== null && showsMore(report, own)) kept.push(test);
  }
  return kept;
}

function showsMore(report: TestReport, own: TestReport): boolean {
  if (report.unloaded > own.unloaded) return false;
  const known = new Set(own.failing.map(nameOf));
  return report.failing.some((test) => test.name !== "" && !known.has(nameOf(test)));
}
