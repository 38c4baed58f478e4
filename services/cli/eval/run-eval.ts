import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "#shared/config";
import { loadVariants } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { CommandRefusedError, EXIT } from "../errors.ts";
import { listenForStop } from "../launcher/stop-signals.ts";
import { write } from "../print/print-answer.ts";
import { takeEvenly } from "../take-evenly.ts";
import { startCachingEndpoint } from "./answers.ts";
import { readCases } from "./cases.ts";
import { measureTeam } from "./measure-team.ts";
import type { EvalOptions, EvalSummary, Prepared } from "./measure-team.ts";
import { renderReport } from "./report.ts";
import type { EvalSystem } from "./system.ts";
import { AS_IT_IS, contendersOf } from "./trial.ts";

/**
 * Measures teams and their variants on their labelled sets, one team after the other, and prints a report in Markdown.
 * The exit code is 1 unless every run was made, and at least one of each team gave a result.
 *
 * @param names - Of teams. None: every team.
 * @throws {CommandRefusedError} There is no such team, variant or set, or a line of the set is wrong.
 */
export async function runEval(names: readonly string[], options: EvalOptions): Promise<void> {
  const { teamsDir, isRehearsal } = loadConfig();
  if (isRehearsal && options.judge)
    throw new CommandRefusedError(
      "No model is configured, so that none can judge.",
      "Set OPENAI_API_KEY or OPENAI_BASE_URL.",
    );
  const wanted = names.length > 0 ? names : (await loadTeams(teamsDir)).map(({ name }) => name);
  const prepared: Prepared[] = [];
  for (const name of wanted) prepared.push(await prepareTeam(teamsDir, name, options));
  const summaries = await measureAll(prepared, options);
  write(renderReport(summaries));
  const json = names.length === 1 ? summaries[0] : summaries;
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(json, null, 2)}\n`);
  const isWhole = ({ stopped, contenders }: EvalSummary): boolean =>
    stopped === null && contenders.some(({ verdicts, accuracy }) => verdicts.failed < accuracy.of);
  if (summaries.length < prepared.length || !summaries.every(isWhole)) process.exitCode = EXIT.failed;
}

async function prepareTeam(teamsDir: string, name: string, options: EvalOptions): Promise<Prepared> {
  const { variant, limit } = options;
  const team = (await loadTeams(teamsDir, name)).find((one) => one.name === name);
  if (team === undefined)
    throw new CommandRefusedError(`There is no team ${name}.`, "`suture teams ls` lists them.");
  const all = contendersOf(team, await loadVariants(teamsDir, name));
  const known = all.map((one) => one.name);
  const unknown = variant?.find((wanted) => !known.includes(wanted));
  if (unknown !== undefined)
    throw new CommandRefusedError(`${name} has no variant ${unknown}.`, `Name some of ${known.join(", ")}.`);
  const { accepts } = team.entry;
  const { cases, files } = await readCases(join(teamsDir, name), accepts);
  const foreign = all.find((one) => one.team.entry.accepts.id !== accepts.id);
  if (foreign !== undefined)
    throw new CommandRefusedError(
      `The variant ${foreign.name} accepts ${foreign.team.entry.accepts.id}, ${AS_IT_IS} ${accepts.id}.`,
      "Let it accept what the team accepts.",
    );
  const contenders = all.filter((one) => variant === undefined || variant.includes(one.name));
  return { team: name, contenders, cases: takeEvenly(cases, limit), files };
}

async function measureAll(prepared: readonly Prepared[], options: EvalOptions): Promise<EvalSummary[]> {
  let system: EvalSystem | null = null;
  const { signal, release } = listenForStop(() => {
    system?.kill();
    process.exit(1);
  });
  const config = loadConfig();
  const { cache: folder } = options;
  const cache =
    folder === undefined || config.isRehearsal ? null : await startCachingEndpoint(config, folder);
  const summaries: EvalSummary[] = [];
  let { costMax } = options;
  try {
    for (const one of prepared) {
      if (signal.aborted || costMax <= 0) break;
      const onOpen = (opened: EvalSystem): void => void (system = opened);
      const summary = await measureTeam(one, { ...options, costMax, kept: cache, signal, onOpen });
      const runs = summary.contenders.reduce((sum, { cost }) => sum + cost.total, 0);
      costMax -= runs + (summary.judge?.cost ?? 0) - (summary.cached?.saved ?? 0);
      summaries.push(summary);
    }
    return summaries;
  } finally {
    await cache?.close();
    release();
  }
}
