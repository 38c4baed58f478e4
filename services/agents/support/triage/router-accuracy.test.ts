import { describe, expect, test } from "vitest";
import { checkPayload } from "#shared/contract";
import { SupportEmail } from "../contracts.ts";
import { readEmailSamples } from "../testing/read-samples.ts";
import type { EmailSample } from "../testing/read-samples.ts";
import { TriageAnswer } from "./answer.ts";
import type { Decision } from "./answer.ts";
import { readEmail } from "./read-email.ts";
import { decideEmail } from "../rehearsal/triage.ts";

function decide(sample: EmailSample): Decision {
  const email = checkPayload(SupportEmail, sample.email);
  const [decision] = checkPayload(TriageAnswer, { requests: [decideEmail(readEmail(email))] }).requests;
  if (decision === undefined) throw new Error("the router decided nothing");
  return decision;
}

interface Scores {
  readonly total: number;
  readonly route: number;
  readonly language: number;
  readonly order_id: number;
  readonly amount: number;
  readonly wrong: readonly string[];
}

function score(samples: readonly EmailSample[]): Scores {
  const judged = samples.map((sample) => ({ id: sample.id, label: sample.label, decision: decide(sample) }));
  const share = (holds: (one: (typeof judged)[number]) => boolean): number =>
    judged.filter(holds).length / judged.length;
  const amountOf = (decision: Decision) => ("amount" in decision ? decision.amount : undefined);
  const orderOf = (decision: Decision) => ("order_id" in decision ? decision.order_id : undefined);
  return {
    total: judged.length,
    route: share(({ label, decision }) => decision.route === label.route),
    language: share(({ label, decision }) => decision.language === label.language),
    order_id: share(({ label, decision }) => orderOf(decision) === label.order_id),
    amount: share(
      ({ label, decision }) =>
        amountOf(decision)?.value === label.amount && amountOf(decision)?.currency === label.currency,
    ),
    wrong: judged.flatMap(({ id, label, decision }) => [
      ...(decision.route === label.route ? [] : [`${id}: ${label.route} read as ${decision.route}`]),
      ...(decision.language === label.language
        ? []
        : [`${id}: ${label.language} read as ${decision.language}`]),
      ...(orderOf(decision) === label.order_id
        ? []
        : [`${id}: order ${label.order_id} read as ${orderOf(decision)}`]),
      ...(amountOf(decision)?.value === label.amount
        ? []
        : [`${id}: ${label.amount} as ${amountOf(decision)?.value}`]),
    ]),
  };
}

const samples = readEmailSamples();

/**
 * The development e-mails were in view when the stand-in was written; the held-out ones were written after it and are
 * not tuned on. What is asked of those is below what was measured (30 of 37 routes), as a guard against getting worse.
 */
const ROUTE_SHARE_MIN = { development: 0.9, held_out: 0.75 } as const;

describe("the router's stand-in", () => {
  test.each(["development", "held_out"] as const)(
    "sorts the %s e-mails as well as it is known to",
    (split) => {
      const scores = score(samples.filter((sample) => sample.split === split));
      // Misses are listed for the development set alone: who sees those of the held-out set begins to tune on them.
      const shown = split === "development" ? scores : { ...scores, wrong: scores.wrong.length };
      process.stdout.write(`router on ${split}: ${JSON.stringify(shown, null, 1)}\n`);
      expect(scores.total).toBeGreaterThanOrEqual(24);
      expect(scores.route).toBeGreaterThanOrEqual(ROUTE_SHARE_MIN[split]);
      expect(scores.language).toBeGreaterThanOrEqual(0.9);
      expect(scores.order_id).toBeGreaterThanOrEqual(0.9);
      expect(scores.amount).toBeGreaterThanOrEqual(0.9);
    },
  );
});
