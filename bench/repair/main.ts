import { isDeepStrictEqual } from "node:util";
import { jsonrepair } from "jsonrepair";
import { firstAid, validate } from "#shared/surgery";
import type { JsonValue } from "#shared/surgery";
import { makeCases, SCHEMA } from "./cases.ts";
import type { Case } from "./cases.ts";

/**
 * The scorecard of first aid: seeded damage on good answers, against what a careful application does today
 * (jsonrepair, then validation). `node bench/repair/main.ts [seed] [answers]`. These are our own damages: a
 * check on ourselves, not a measure against public suites.
 */

type Repairer = (input: string) => JsonValue | undefined;
type Verdict = "exact" | "wrong" | "refused";

const repairers: Readonly<Record<string, Repairer>> = {
  "first aid": (input) => {
    const result = firstAid(input, SCHEMA);
    return result.ok ? result.value : undefined;
  },
  "jsonrepair + validation": (input) => {
    try {
      // jsonrepair writes JSON; what it parses to is JSON.
      const value = JSON.parse(jsonrepair(input)) as JsonValue;
      return validate(value, SCHEMA).length === 0 ? value : undefined;
    } catch {
      return undefined;
    }
  },
};

function judge(one: Case, answer: JsonValue | undefined): Verdict {
  if (answer === undefined) return one.expected === undefined ? "exact" : "refused";
  return one.expected !== undefined && isDeepStrictEqual(answer, one.expected) ? "exact" : "wrong";
}

const seed = Number(process.argv[2] ?? 1);
const cases = makeCases(seed, Number(process.argv[3] ?? 20));

for (const [name, repair] of Object.entries(repairers)) {
  const counts: Record<Verdict, number> = { exact: 0, wrong: 0, refused: 0 };
  const failures = new Map<string, number>();
  const micros: number[] = [];
  for (const one of cases) {
    const startedAt = performance.now();
    const answer = repair(one.input);
    micros.push((performance.now() - startedAt) * 1000);
    const verdict = judge(one, answer);
    counts[verdict] += 1;
    if (verdict !== "exact")
      failures.set(`${one.kind}: ${verdict}`, (failures.get(`${one.kind}: ${verdict}`) ?? 0) + 1);
  }
  const sorted = micros.toSorted((a, b) => a - b);
  const percent = (count: number): string => `${((100 * count) / cases.length).toFixed(1)} %`;
  const at = (share: number): string => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0)} µs`;
  const verdicts = Object.entries(counts).map(([verdict, count]) => `${verdict} ${percent(count)}`);
  console.log(`${name}: ${cases.length} cases, ${verdicts.join(", ")}; p50 ${at(0.5)}, p99 ${at(0.99)}`);
  for (const [failure, count] of failures) console.log(`  ${failure} ${count}`);
}
