import { z } from "zod";
import { readPrompt } from "#shared/runtime";
import type { Context, Transitions } from "#shared/runtime";
import { contract, sensitive } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import type { ReplyOutcome, ReplyRequest } from "../contracts.ts";
import { ReplyIncompleteError, ReplyUnfoundedError } from "../errors.ts";
import { listNumbers } from "../evidence.ts";
import { money } from "../contract-fields.ts";
import type { Money } from "../contract-fields.ts";

export const ReplyDraft = contract(
  "reply.draft@1",
  z.object({
    subject: z.string().min(1).max(200).meta({ "x-surgeon-writes": true }),
    body: z.string().min(1).max(6000).meta({ "x-surgeon-writes": true }),
  }),
  { description: "The answer that the customer reads." },
);

/** What a drafted answer tells its reader was done: read by itself, blind to what was done, before it is sent. */
export const DraftClaims = contract(
  "reply.claims@1",
  z.object({
    says: z
      .array(
        z.object({
          what: z.enum(["refund", "replacement", "cancellation", "compensation"]),
          /** The sentence that says so, word for word. */
          quote: sensitive(z.string().min(1).max(1000)),
        }),
      )
      .max(20),
  }),
  { description: "What a letter says was done or will be done." },
);

/** How the customer wants to be addressed. */
export const TONES = ["friendly", "formal", "brief"] as const;

type Request = ContractOutput<typeof ReplyRequest>;

const INSTRUCTIONS = readPrompt(new URL("check.md", import.meta.url), "check");

/** Outcomes of which a recorded effect says that the money went back. */
const REFUNDED: readonly ReplyOutcome[] = ["refund_paid", "already_refunded"];

/** Two digits after the last sign, so that a date or a count is no sum. */
const SUM = /(?<![\d.,])\d[\d.,'’ ]*[.,]\d{2}(?![.,]?\d)/gu;

/** What was done for one request. */
interface Settled extends Partial<Pick<Request, "facts" | "steps">> {
  readonly outcome?: ReplyOutcome | undefined;
}

/**
 * Checks an answer against what was done, before anybody reads it: every fact stands in it, no other sum does, and a
 * second reader, who does not know what was done, finds nothing in it that was not.
 *
 * @throws {ReplyIncompleteError} A fact is left out. @throws {ReplyUnfoundedError} It says what was not done.
 */
export async function checkDraft<To extends Transitions>(
  ctx: Context<To>,
  { subject, body }: ContractOutput<typeof ReplyDraft>,
  settled: readonly Settled[],
): Promise<void> {
  const facts = settled.flatMap((one) => one.facts ?? []);
  const missing = facts.filter((fact) => !body.includes(fact.value));
  if (missing.length > 0) throw new ReplyIncompleteError(missing.map((fact) => fact.label));
  const told = [...facts.map((fact) => fact.value), ...settled.flatMap((one) => one.steps ?? [])].join("\n");
  const known = listNumbers(told);
  const sums = [...`${subject}\n${body}`.matchAll(SUM)].flatMap(([sum]) => listNumbers(sum));
  if (sums.some((sum) => !known.includes(sum))) throw new ReplyUnfoundedError(["a sum that was not paid"]);
  const asked = {
    instructions: INSTRUCTIONS,
    input: { subject, body },
    answers: DraftClaims,
    temperature: 0,
  };
  const { says } = await ctx.model("check", asked);
  const isRefunded = settled.some(({ outcome }) => outcome !== undefined && REFUNDED.includes(outcome));
  const unfounded = says.map(({ what }) => what).filter((what) => what !== "refund" || !isRefunded);
  if (unfounded.length > 0)
    throw new ReplyUnfoundedError([...new Set(unfounded)].map((what) => `a ${what} that was not made`));
}

interface Paid {
  readonly outcome?: ReplyOutcome | undefined;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
}

/**
 * Returns the money that a run paid back, as the field `refunded` of its result; nothing where none was paid, or where
 * it was paid in several currencies, which are no one sum.
 */
export function sumRefunds(settled: readonly Paid[]): { refunded?: Money } {
  const sums = settled
    .filter(({ outcome }) => outcome === "refund_paid")
    .flatMap(({ facts }) => facts.filter(({ label }) => label === "amount"))
    .flatMap(({ value }) => {
      // As refunds writes it: "42.50 EUR".
      const [sum, currency] = value.split(" ");
      return money.safeParse({ value: Number(sum), currency }).data ?? [];
    });
  const [first] = sums;
  if (first === undefined || sums.some(({ currency }) => currency !== first.currency)) return {};
  const cents = sums.reduce((total, { value }) => total + Math.round(value * 100), 0);
  return { refunded: { value: cents / 100, currency: first.currency } };
}
