import { writeFileSync } from "node:fs";
import { loadConfig } from "#shared/config";
import { loadTeams } from "#shared/runtime/process";
import { CommandRefusedError, EXIT } from "../errors.ts";
import { listenForStop } from "../launcher/stop-signals.ts";
import { write } from "../print/print-answer.ts";
import { measureTeam, prepareTeam } from "./measure-team.ts";
import type { EvalOptions, EvalSummary, Prepared } from "./measure-team.ts";
import { renderReport } from "./report.ts";
import type { EvalSystem } from "./system.ts";

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
  let kill: EvalSystem["kill"] = () => undefined;
  const { signal, release } = listenForStop(() => {
    kill();
    process.exit(1);
  });
  const purse = { left: options.costMax };
  const summaries: EvalSummary[] = [];
  try {
    for (const one of prepared)
      if (!signal.aborted && purse.left > 0)
        summaries.push(
          await measureTeam(one, { options, purse, signal, onOpen: (open) => (kill = open.kill) }),
        );
  } finally {
    release();
  }
  write(renderReport(summaries));
  const json = names.length === 1 ? summaries[0] : summaries;
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(json, null, 2)}\n`);
  const isWhole = ({ stopped, contenders }: EvalSummary): boolean =>
    stopped === null && contenders.some(({ verdicts, accuracy }) => verdicts.failed < accuracy.of);
  if (summaries.length < prepared.length || !summaries.every(isWhole)) process.exitCode = EXIT.failed;
}
