import { writeFileSync } from "node:fs";
import { loadConfig } from "#shared/config";
import { loadTeams } from "#shared/runtime/process";
import { visible } from "#shared/json";
import { EXIT } from "../errors.ts";
import { listenForStop } from "../launcher/stop-signals.ts";
import { write } from "../print/print-answer.ts";
import { measureTeam, prepareTeam, REHEARSAL } from "./measure-team.ts";
import type { EvalOptions, EvalSummary, Prepared } from "./measure-team.ts";
import type { EvalSystem } from "./system.ts";

/**
 * Measures teams and their variants on their labelled sets and prints a report in Markdown. Exit code 1 unless every
 * run was made, and one of each team gave a result. @param names - Of teams. None: every team.
 * @throws {CommandRefusedError} There is no such team, variant or set, or a line of the set is wrong.
 */
export async function runEval(names: readonly string[], options: EvalOptions): Promise<void> {
  const { teamsDir } = loadConfig();
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

const MISTAKES_SHOWN = 8;
const OVERVIEW =
  "variant|cases|right|cannot tell|wrong|failed|accuracy|interval|USD a case|tokens|calls|p50 ms|p95 ms|p99 ms";

type Measured = EvalSummary["contenders"][number];

/** Tells a person what the measurements came to, in Markdown. What data brings along is text: it makes no markup. */
export function renderReport(summaries: readonly EvalSummary[]): string {
  return ["# Evaluation", ...summaries.flatMap(describeTeam)].filter((block) => block !== "").join("\n\n");
}

function describeTeam(summary: EvalSummary): string[] {
  const { team, rehearsal, seed, models, cases, stopped, trials, comparisons } = summary;
  const measured = summary.contenders.filter(({ accuracy }) => accuracy.of > 0);
  const who = rehearsal ? `the rehearsal (seed ${seed})` : `${models.router}, ${models.worker}`;
  const done = `${trials.done} runs, answered by ${who}`;
  const compared = comparisons.flatMap(({ first, second, accuracy }) => {
    const { cases: both, onlyFirst, onlySecond, difference, isSeen } = accuracy;
    const points = `${isSeen ? "" : "no difference seen: "}${(difference * 100).toFixed(1)} points`;
    return both === 0 ? [] : [[`${first} against ${second}`, both, onlyFirst, onlySecond, points]];
  });
  return [
    `## ${plain(team)}`,
    plain(`Measured ${team}: ${cases} labelled cases, ${done}. Intervals are of 95 %.`),
    stopped === null ? "" : `STOPPED (${stopped}): ${trials.done} of ${trials.planned} runs were made.`,
    table(OVERVIEW.split("|"), measured.map(figuresOf)),
    ...measured.flatMap(describeContender),
    compared.length === 0 ? "" : "### Compared on the same cases, in the same run",
    table(["variants", "cases", "only first right", "only second right", "accuracy"], compared),
    rehearsal ? REHEARSAL : "",
  ];
}

function figuresOf({ name, accuracy, verdicts, cost, tokens, calls, latency_ms: ms }: Measured) {
  const { right, unsure, wrong, failed } = verdicts;
  const means = [cost.mean.toFixed(6), tokens.mean.toFixed(0), calls.mean.toFixed(2)];
  const latency = [ms?.p50, ms?.p95, ms?.p99].map((each) => each ?? "");
  return [name, accuracy.of, right, unsure, wrong, failed, ...shareOf(accuracy), ...means, ...latency];
}

/** Mistakes are of runs that gave a result: why others gave none is told by class. */
function describeContender({ name, description, fields, failures, wrong }: Measured): string[] {
  const mistakes = wrong.filter(({ failed }) => !failed);
  const rest = mistakes.length - MISTAKES_SHOWN;
  const lines = [
    ...failures.map(({ count, code, ...one }) => {
      return `failed: ${count} of class ${one.class}${code === "" ? "" : ` (${code})`}`;
    }),
    ...mistakes.slice(0, MISTAKES_SHOWN).map((one) => {
      return `wrong: ${one.case} ${one.pointer} is ${shown(one.given)}, expected ${shown(one.expected)}`;
    }),
    ...(rest > 0 ? [`and ${rest} more; --json names all`] : []),
  ];
  const rows = fields.map((one) => [one.pointer, `${one.right} of ${one.of}`, ...shareOf(one)]);
  return [
    `### ${plain(`${name}: ${description}`)}`,
    table(["field", "right", "accuracy", "interval"], rows),
    lines.map((line) => `- ${plain(line)}`).join("\n"),
  ];
}

/** A table without rows is left out. */
function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell) => plain(String(cell))).join(" | ")} |`;
  const rule = `|${" --- |".repeat(heads.length)}`;
  return rows.length === 0 ? "" : [line(heads), rule, ...rows.map(line)].join("\n");
}

/** A share and its interval. */
function shareOf({ share, low, high }: Measured["accuracy"]): [string, string] {
  const [from, to] = [low, high].map((end) => (end * 100).toFixed(1));
  return [share === null ? "" : `${(share * 100).toFixed(1)} %`, `${from} to ${to} %`];
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

function plain(text: string): string {
  return visible(text)
    .replaceAll(/[\\`*_[\]<>|#]/g, String.raw`\$&`)
    .replaceAll("\n", " ");
}
