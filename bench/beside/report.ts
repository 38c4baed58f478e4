import { resolve } from "node:path";
import { measureChain } from "../chain/measure.ts";
import type { Anchor, ChainRun } from "../chain/measure.ts";
import { compare } from "../chain/report.ts";
import { QUICK_SETTINGS, SETTINGS } from "../chain/settings.ts";
import { printTable } from "../print-table.ts";
import type { Spread } from "../quantile.ts";
import { withRedis } from "../with-redis.ts";

/** One by the other: figures of the same pair. */
interface Beside {
  /** Throughput at saturation, of each pair: above 1, the first is faster. */
  readonly throughput: Spread;
  /** One run at a time, median of the rounds: above 1, the first is slower. */
  readonly p50_single: number;
  readonly p99_single: number;
  /** CPU of Node and Redis for the same hops, median of the pairs. */
  readonly cpu: number;
  readonly load_averages: readonly number[];
}

/**
 * Measures the chain of this checkout beside that of another one, in turns, and prints the ratios.
 *
 * @throws {Error} No other checkout was named.
 */
export async function reportBeside({
  isQuick,
  checkout,
  say,
}: {
  readonly isQuick: boolean;
  readonly checkout: string | undefined;
  readonly say: (line: string) => void;
}): Promise<Beside> {
  if (checkout === undefined)
    throw new Error("Name the other checkout, its dependencies installed: --checkout FOLDER");
  return compareSuture({
    isQuick,
    say,
    suture: "suture",
    anchor: { peer: "suture", checkout: resolve(checkout) },
    title: "chain of three agents: this checkout by the other one",
  });
}

/** Measures isolated agents and their relay beside agents that share one trust domain, in turns. */
export function reportTrust({
  isQuick,
  say,
}: {
  readonly isQuick: boolean;
  readonly say: (line: string) => void;
}): Promise<Beside> {
  return compareSuture({
    isQuick,
    say,
    suture: "suture_isolated",
    anchor: { peer: "suture" },
    title: "chain of three agents: isolated by shared",
  });
}

async function compareSuture({
  isQuick,
  say,
  suture,
  anchor,
  title,
}: Pick<ChainRun, "suture" | "say"> & {
  readonly anchor: Anchor;
  readonly isQuick: boolean;
  readonly title: string;
}): Promise<Beside> {
  const rounds = await measureChain(isQuick ? QUICK_SETTINGS : SETTINGS, {
    withServer: (use) => withRedis({ say }, use),
    suture,
    anchor,
    say,
  });
  const compared = compare(rounds);
  const { pairs } = compared;
  const format = (figure: number): string => figure.toFixed(2);
  printTable(title, [
    ["", "ratio"],
    [`throughput, median of ${pairs.count} pairs in ${rounds.length} rounds`, format(pairs.median)],
    ["throughput, middle half of the pairs", `${format(pairs.p25)} to ${format(pairs.p75)}`],
    ["p50 at one run at a time", format(compared.p50_ratio_to_bullmq_single)],
    ["p99 at one run at a time", format(compared.p99_ratio_to_bullmq_single)],
    ["CPU of Node and Redis", format(compared.cpu_ratio_to_bullmq)],
    ["load average of the rounds", compared.load_averages.map(format).join(", ")],
  ]);
  return {
    throughput: pairs,
    p50_single: compared.p50_ratio_to_bullmq_single,
    p99_single: compared.p99_ratio_to_bullmq_single,
    cpu: compared.cpu_ratio_to_bullmq,
    load_averages: compared.load_averages,
  };
}
