import type { Table } from "../../print-table.ts";
import { SPLITS } from "../case.ts";
import type { Split } from "../case.ts";
import type { SplitProof } from "./prove-answers.ts";

/** The proof's verdicts by split, then why it stopped answers and what it took the others for. */
export function tableProof(splits: Readonly<Record<Split, SplitProof>>): Table[] {
  const verdicts = SPLITS.map((split) => {
    const { wrong, wrong_stopped, exact, exact_stopped } = splits[split];
    return [split, ...[wrong, wrong_stopped, wrong - wrong_stopped, exact, exact_stopped].map(String)];
  });
  const reasons = SPLITS.flatMap((split) => {
    const { wrong_stopped_by, wrong_passed_as, exact_stopped_by } = splits[split];
    const named = [
      ["wrong, stopped by", wrong_stopped_by],
      ["wrong, passed as", wrong_passed_as],
      ["right, stopped by", exact_stopped_by],
    ] as const;
    return named.flatMap(([what, counts]) =>
      Object.entries(counts).map(([name, count]) => [`${split}: ${what} ${name}`, String(count)]),
    );
  });
  return [
    {
      title: "the proof over first aid's answers",
      rows: [["", "wrong", "stopped", "passed", "right", "stopped"], ...verdicts],
    },
    { title: "why", rows: [["", "answers"], ...reasons] },
  ];
}
