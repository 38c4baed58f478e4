import { firstAid } from "#shared/repair";
import type { JsonSchema } from "#shared/json";
import { Draw } from "../seeded.ts";
import { SCHEMAS } from "./schemas.ts";
import { HONEST_TEXTS, HOSTILE_TEXTS } from "./texts.ts";
import type { MakeText } from "./texts.ts";

export const HOSTILE_SETTINGS = {
  /** Lengths of the texts in UTF-16 units, shortest first. */
  sizes: [65_536, 262_144, 1_048_576],
  /** Contracts that every text is held against, by their names in `SCHEMAS`. */
  schemas: Object.keys(SCHEMAS),
  /** Times that each text is read; the fastest counts, for the machine has other work. */
  times: 3,
  /** How many of the contracts, those that took longest with the shortest text, are tried with the longer ones. */
  contenders: 2,
};

export type HostileSettings = Readonly<typeof HOSTILE_SETTINGS>;

export const QUICK_HOSTILE_SETTINGS: HostileSettings = {
  sizes: [16_384, 65_536],
  schemas: ["none", "tree"],
  times: 1,
  contenders: 2,
};

/** What one kind of text took under the contract that took longest with it. */
export interface HostileRow {
  readonly text: string;
  readonly is_honest: boolean;
  readonly schema: string;
  /** Time of this thread in milliseconds, by size. */
  readonly cpu_ms: readonly number[];
  readonly steps: readonly number[];
  /** `ok`, or the code of the refusal, of the longest text. */
  readonly result: string;
}

/** Reads every kind of hostile or large text against the contracts, worst first. */
export function measureHostile(settings: HostileSettings, say: (line: string) => void): HostileRow[] {
  const texts = [
    ...Object.entries(HOSTILE_TEXTS).map(([text, make]) => ({ text, make, isHonest: false })),
    ...Object.entries(HONEST_TEXTS).map(([text, make]) => ({ text, make, isHonest: true })),
  ];
  for (const { make } of texts) measureOne(make, "tree", { ...settings, sizes: [4096], times: 1 });
  const rows = texts.map(({ text, make, isHonest }) => {
    const [worst] = contendersOf(make, settings)
      .map((schema) => ({ schema, ...measureOne(make, schema, settings) }))
      .toSorted(byTime);
    if (worst === undefined) throw new RangeError("no contract to hold the texts against");
    say(`${text}: ${(worst.cpu_ms.at(-1) ?? 0).toFixed(0)} ms (${worst.schema})`);
    return { text, is_honest: isHonest, ...worst };
  });
  return rows.toSorted(byTime);
}

interface Timed {
  readonly cpu_ms: readonly number[];
}

function byTime(one: Timed, other: Timed): number {
  return (other.cpu_ms.at(-1) ?? 0) - (one.cpu_ms.at(-1) ?? 0);
}

/** The contracts under which the shortest text takes longest. */
function contendersOf(make: MakeText, settings: HostileSettings): string[] {
  const shortest = { ...settings, sizes: settings.sizes.slice(0, 1), times: 1 };
  return settings.schemas
    .map((schema) => ({ schema, ...measureOne(make, schema, shortest) }))
    .toSorted(byTime)
    .slice(0, settings.contenders)
    .map(({ schema }) => schema);
}

function measureOne(
  make: MakeText,
  schemaName: string,
  { sizes, times }: HostileSettings,
): Pick<HostileRow, "cpu_ms" | "steps" | "result"> {
  const schema = SCHEMAS[schemaName];
  const each = sizes.map((size) => {
    const text = make(size, new Draw(1));
    const runs = Array.from({ length: times }, () => readOnce(text, schema));
    return runs.reduce((best, one) => (one.cpuMs < best.cpuMs ? one : best));
  });
  return {
    cpu_ms: each.map((one) => one.cpuMs),
    steps: each.map((one) => one.steps),
    result: each.at(-1)?.result ?? "",
  };
}

function readOnce(
  text: string,
  schema: JsonSchema | undefined,
): { cpuMs: number; steps: number; result: string } {
  let steps = 0;
  const before = process.threadCpuUsage();
  const result = firstAid(text, schema, { onWork: (taken) => (steps = taken) });
  const { user, system } = process.threadCpuUsage(before);
  return { cpuMs: (user + system) / 1000, steps, result: result.ok ? "ok" : result.code };
}
