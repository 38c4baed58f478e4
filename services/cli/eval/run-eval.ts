import { writeFileSync } from "node:fs";
import { loadConfig } from "#shared/config";
import { PRICES_DEFAULT } from "#shared/model";
import { loadTeams } from "#shared/runtime/process";
import { CommandRefusedError } from "../errors.ts";
import { listenForStop } from "../launcher/stop-signals.ts";
import { write, writeError } from "../print/print-answer.ts";
import { startCachingEndpoint } from "./answers/caching-endpoint.ts";
import type { CachingEndpoint } from "./answers/caching-endpoint.ts";
import { measureTeam } from "./measure-team.ts";
import type { EvalSystem } from "./open-system.ts";
import { prepareEval } from "./prepare-eval.ts";
import type { PreparedEval } from "./prepare-eval.ts";
import { heading } from "./report/blocks.ts";
import { describeSummary } from "./report/describe-summary.ts";
import { renderMarkdown } from "./report/render.ts";
import type { EvalSummary } from "./report/summarise.ts";

export interface EvalOptions {
  /** Names of the contenders. Default: all. */
  readonly variant?: readonly string[];
  /** Cases to take at most, at even steps. Default: all. */
  readonly limit?: number;
  /** Runs at a time. */
  readonly concurrency: number;
  /** Of the rehearsal's faults. Default: the configured seed. */
  readonly seed?: number;
  /** File that the summary is written to, as JSON: of one team an object, of several a list. Default: none. */
  readonly json?: string;
  /** Folder in which the endpoint's answers are kept, so that a repeat costs nothing. Default: none are kept. */
  readonly cache?: string;
  /** Ask the strong model to judge the results too. */
  readonly judge: boolean;
  /** USD over all runs and verdicts at which no further one begins. */
  readonly costMax: number;
  /** Seconds that one run may take. */
  readonly within: number;
}

const say = writeError;

/**
 * Measures teams and their variants on their labelled sets, one team after the other, and prints a report in Markdown.
 *
 * @param names - Of teams. None: every team.
 * @returns Whether every run was made, and at least one of each team gave a result.
 * @throws {CommandRefusedError} There is no such team, variant or set, or a line of the set is wrong.
 */
export async function runEval(names: readonly string[], options: EvalOptions): Promise<boolean> {
  const { teamsDir, isRehearsal } = loadConfig();
  if (isRehearsal && options.judge)
    throw new CommandRefusedError(
      "No model is configured, so that none can judge.",
      "Set OPENAI_API_KEY or OPENAI_BASE_URL.",
    );
  const wanted = names.length > 0 ? names : (await loadTeams(teamsDir)).map(({ name }) => name);
  const prepared: PreparedEval[] = [];
  for (const name of wanted) prepared.push(await prepareEval(teamsDir, name, options));
  const summaries = await measureAll(prepared, options);
  const blocks = [heading(1, "Evaluation"), ...summaries.flatMap(describeSummary)];
  write(renderMarkdown(blocks).trimEnd());
  if (options.json !== undefined) {
    const value = names.length === 1 ? summaries[0] : summaries;
    writeFileSync(options.json, `${JSON.stringify(value, null, 2)}\n`);
  }
  return (
    summaries.length === prepared.length &&
    summaries.every(({ stopped, contenders }) => stopped === null && contenders.some(hasResult))
  );
}

const hasResult = ({ verdicts }: EvalSummary["contenders"][number]): boolean =>
  verdicts.right + verdicts.unsure + verdicts.wrong > 0;

async function measureAll(prepared: readonly PreparedEval[], options: EvalOptions): Promise<EvalSummary[]> {
  let system: EvalSystem | null = null;
  const { signal, release } = listenForStop(() => {
    system?.kill();
    process.exit(1);
  });
  const cache = await openCache(options);
  const summaries: EvalSummary[] = [];
  let paid = 0;
  try {
    for (const one of prepared) {
      if (signal.aborted || paid >= options.costMax) break;
      const summary = await measureTeam({
        prepared: one,
        seed: options.seed,
        concurrency: options.concurrency,
        costMax: options.costMax - paid,
        withinMs: options.within * 1000,
        cache,
        isJudged: options.judge,
        say,
        signal,
        onOpen: (opened) => (system = opened),
      });
      paid += paidFor(summary);
      summaries.push(summary);
    }
    return summaries;
  } finally {
    await cache?.close();
    release();
  }
}

/** Null in rehearsal too, where an answer costs nothing. */
async function openCache({ cache: folder }: EvalOptions): Promise<CachingEndpoint | null> {
  const { isRehearsal, openaiBaseUrl, modelPrices } = loadConfig();
  if (folder === undefined || isRehearsal) return null;
  const endpoint = openaiBaseUrl ?? "https://api.openai.com/v1";
  return startCachingEndpoint({ endpoint, folder, prices: { ...PRICES_DEFAULT, ...modelPrices } });
}

function paidFor({ contenders, cached, judge }: EvalSummary): number {
  const runs = contenders.reduce((sum, { cost }) => sum + cost.total, 0);
  return runs + (judge?.cost ?? 0) - (cached?.saved ?? 0);
}
