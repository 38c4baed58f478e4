import { agent, readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { belongsToTests } from "../checkout/project-path.ts";
import { searchText } from "../checkout/search-text.ts";
import { selectSources } from "../checkout/select-sources.ts";
import { walkFiles } from "../checkout/walk-files.ts";
import { ExplorationOrder, PatchOrder } from "../contracts.ts";
import type { Plan, Task } from "../contracts.ts";
import type { Suspect } from "../contract-fields.ts";
import { reportUnneeded } from "../result.ts";
import { allowedBy } from "../allowed-by.ts";
import { tryDiff } from "../trial/try-diff.ts";
import type { FailingTest } from "../trial/report.ts";
import { boundsOf, findRoot } from "../setup.ts";
import type { CoderSetup } from "../setup.ts";
import { RootCause } from "./answer.ts";
import type { CauseInput } from "./answer.ts";
import { findCause } from "../rehearsal/find-cause.ts";

const to = { patcher: PatchOrder };

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "root-cause");

const HANDLER_TIMEOUT_MS = 300_000;

/**
 * Makes the failure happen in a copy, searches the checkout, and says what causes it. Reads and runs; changes
 * nothing.
 */
export function createExplorer(setup: CoderSetup) {
  return agent("explorer@1", {
    accepts: ExplorationOrder,
    guard: { mayCause: [] },
    to,
    description: "Reproduces the failure in a copy, searches the checkout and names the cause.",
    capabilities: ["code-search"],
    answers: [RootCause],
    standIns: { "root-cause": findCause },
    concurrency: 2,
    handlerTimeoutMs: HANDLER_TIMEOUT_MS,
    handle: async ({ task, plan }, ctx) => {
      const root = await findRoot(setup, task.checkout);
      const bounds = boundsOf(setup);
      const allowed = allowedBy(task);
      const scratchDir = setup.scratchDir();
      const seen = await ctx.step("reproduce", (signal) =>
        tryDiff({ root, scratchDir, diff: null, allowed, before: null, ...bounds, signal }),
      );
      if (seen.report === null || seen.verdict !== "red") return ctx.complete(reportUnneeded(task, seen));
      const found = await explore(ctx, { root, setup, plan, failing: seen.report.failing });
      const input: CauseInput = {
        issue: task.issue,
        goal: plan.goal,
        failing: seen.report.failing,
        ...found,
      };
      const asked = { instructions: INSTRUCTIONS, input, answers: RootCause };
      const { cause, suspects } = await ctx.model("root-cause", asked);
      const grounded = keepGrounded(suspects, found.sources);
      if (grounded.length < suspects.length)
        ctx.log.warn("places that the checkout does not have were left out");
      const work = { task, round: 1, cause, before: seen.report, attempts: [], best: null };
      return ctx.handoff(
        "patcher",
        { ...work, suspects: grounded.length > 0 ? grounded : placesOf(seen.report.failing, task) },
        { reason: "the failure is understood", expectedOutput: "a unified diff that turns the tests green" },
      );
    },
  });
}

interface Exploration {
  readonly root: string;
  readonly setup: CoderSetup;
  readonly plan: Plan;
  readonly failing: readonly FailingTest[];
}

async function explore(
  ctx: Context<typeof to>,
  { root, setup, plan, failing }: Exploration,
): Promise<Pick<CauseInput, "hits" | "sources">> {
  const { checkoutLimits: limits } = boundsOf(setup);
  const { signal } = ctx;
  const files = await walkFiles({ root, limits, signal, withDependencies: false });
  const { hits } = await ctx.step("search", () =>
    searchText({ root, files, terms: plan.search_terms, limits, signal }),
  );
  const framed = failing.flatMap(({ frames }) => frames.map(({ path }) => path));
  const from = [...framed, ...failing.map(({ file }) => file), ...hits.map(({ path }) => path)];
  const paths = new Set(files.map(({ path }) => path));
  return { hits, sources: await selectSources({ root, paths, from, signal }) };
}

/** Only places that are there: a path that was shown, a line that it has, and none of the tests. */
function keepGrounded(suspects: readonly Suspect[], sources: CauseInput["sources"]): Suspect[] {
  return suspects.filter(({ path, line }) => {
    const source = sources.find((one) => one.path === path);
    return source !== undefined && !belongsToTests(path) && line <= source.text.split("\n").length;
  });
}

/** Returns where the tests failed, as suspects of last resort. */
function placesOf(failing: readonly FailingTest[], task: Task): Suspect[] {
  const because = "The failure's stack passes here.";
  const frames = failing
    .flatMap(({ frames: own }) => own)
    .filter(({ path, line }) => !belongsToTests(path) && line > 0);
  const places = frames.map(({ path, line, symbol }) => ({ path, line, symbol, because }));
  const fallback = {
    path: failing[0]?.file ?? task.checkout,
    line: Math.max(1, failing[0]?.line ?? 1),
    symbol: "",
    because,
  };
  return places.length > 0 ? places.slice(0, 10) : [fallback];
}
