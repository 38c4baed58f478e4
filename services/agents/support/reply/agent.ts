import { z } from "zod";
import { readPrompt, agent } from "#shared/runtime";
import type { Context, Transitions } from "#shared/runtime";
import { contract, sensitive } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import type { Conversation } from "#shared/envelope";
import { constraintFields } from "#shared/runtime/terms";
import { ReplyRequest } from "../contracts.ts";
import type { ReplyOutcome } from "../contracts.ts";
import { ReplyIncompleteError, ReplyUnfoundedError } from "../errors.ts";
import { listNumbers } from "../evidence.ts";
import { money, messageId, language as languageField, tone } from "../contract-fields.ts";
import type { Money } from "../contract-fields.ts";
import type { Outside } from "../outside/ports.ts";
import { isOneOfSeveral, ReplyPart } from "../joint-reply/contracts.ts";
import { standIns } from "../rehearsal/stand-ins.ts";

const ReplyDraft = contract(
  "reply.draft@1",
  z.object({
    subject: z.string().min(1).max(200).meta({ "x-surgeon-writes": true }),
    body: z.string().min(1).max(6000).meta({ "x-surgeon-writes": true }),
  }),
  { description: "The answer that the customer reads." },
);

const DraftClaims = contract(
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

/** Preferences and constraints of a customer about the form of an answer. */
export const REPLY_TERMS = {
  preferences: z.object({ language: languageField.optional(), tone: tone.optional() }),
  constraints: z.object({ max_words: constraintFields.max_words }),
  answers: [ReplyDraft, DraftClaims],
};

/** Terms that the step `draft` is shown. */
export const DRAFT_TERMS = { preferences: ["/tone"], constraints: ["/max_words"] } as const;

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "draft");

/**
 * Drafts the customer's answer in the language that they prefer or else wrote in, sends it where the task came by mail,
 * and ends the run with it. What was done for one of several requests goes to `joint-reply` instead, which answers them
 * together.
 */
export function createReply(outside: Pick<Outside, "mail">) {
  return agent("reply@1", {
    accepts: ReplyRequest,
    to: { "joint-reply": ReplyPart },
    description: "Drafts the answer in the customer's language, sends it and completes the run.",
    capabilities: ["replying"],
    ...REPLY_TERMS,
    needs: {
      draft: { fields: ["/outcome", "/language", "/summary", "/facts", "/steps"], ...DRAFT_TERMS },
      check: { fields: ["/subject", "/body"] },
    },
    standIns: { draft: standIns.draft, check: standIns.check },
    guard: { mayCause: ["mail"] },
    handle: async (request, ctx) => {
      const { outcome, summary, facts, steps, decided } = request;
      const told = decided === undefined ? {} : { decided };
      if (isOneOfSeveral(ctx.envelope)) {
        const part = { status: "answered", outcome, facts, steps, ...told } as const;
        return ctx.handoff("joint-reply", part, { reason: `one of several requests: ${outcome}` });
      }
      const { language = request.language } = ctx.preferences;
      const answer = await writeAnswer(ctx, {
        instructions: INSTRUCTIONS,
        input: { outcome, language, summary, facts, steps },
        to: request.customer_email,
        settled: [{ outcome, facts, steps }],
        mail: outside.mail,
      });
      return ctx.complete({ status: "answered", outcome, language, ...answer, ...told });
    },
  });
}

interface Settled extends Pick<ContractOutput<typeof ReplyRequest>, "facts" | "steps"> {
  readonly outcome?: ReplyOutcome | undefined;
}

/** Drafts, checks and, for mail, sends an answer. @throws {ReplyIncompleteError | ReplyUnfoundedError} */
export async function writeAnswer<To extends Transitions>(
  ctx: Context<To>,
  asked: {
    readonly instructions: string;
    readonly input: object;
    readonly to: string;
    readonly settled: readonly Settled[];
    readonly mail: Outside["mail"];
  },
) {
  const { instructions, input, to, settled, mail } = asked;
  const request = { instructions, input, answers: ReplyDraft, wordsIn: ["/body"] };
  const draft = await ctx.model("draft", request);
  await checkDraft(ctx, draft, settled);
  const mailed = await sendOnce(ctx, { to, ...draft }, mail);
  return { to, ...draft, ...sumRefunds(settled), ...mailed };
}

const CHECK_INSTRUCTIONS = readPrompt(new URL("check.md", import.meta.url), "check");

/** Outcomes of which a recorded effect says that the money went back. */
const REFUNDED: readonly ReplyOutcome[] = ["refund_paid", "already_refunded"];

/** Two digits after the last sign, so that a date or a count is no sum. */
const SUM = /(?<![\d.,])\d[\d.,'’ ]*[.,]\d{2}(?![.,]?\d)/gu;

/** Checks that every fact stands in an answer, no other sum, and that an independent reader finds nothing undone. */
async function checkDraft<To extends Transitions>(
  ctx: Context<To>,
  { subject, body }: ContractOutput<typeof ReplyDraft>,
  settled: readonly Settled[],
): Promise<void> {
  const facts = settled.flatMap((one) => one.facts);
  const missing = facts.filter((fact) => !body.includes(fact.value));
  if (missing.length > 0) throw new ReplyIncompleteError(missing.map((fact) => fact.label));
  const told = [...facts.map((fact) => fact.value), ...settled.flatMap((one) => one.steps)].join("\n");
  const known = listNumbers(told);
  const sums = [...`${subject}\n${body}`.matchAll(SUM)].flatMap(([sum]) => listNumbers(sum));
  if (sums.some((sum) => !known.includes(sum))) throw new ReplyUnfoundedError(["a sum that was not paid"]);
  const input = { subject, body };
  const asked = { instructions: CHECK_INSTRUCTIONS, input, answers: DraftClaims, temperature: 0 };
  const { says } = await ctx.model("check", asked);
  const isRefunded = settled.some(({ outcome }) => outcome !== undefined && REFUNDED.includes(outcome));
  const unfounded = says.map(({ what }) => what).filter((what) => what !== "refund" || !isRefunded);
  if (unfounded.length > 0)
    throw new ReplyUnfoundedError([...new Set(unfounded)].map((what) => `a ${what} that was not made`));
}

/** Returns the money that a run paid back, as `refunded`; nothing for none, or for several currencies. */
function sumRefunds(settled: readonly Settled[]): { refunded?: Money } {
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

/** Field of a conversation's `metadata` with the e-mail that a run answers. */
const THREAD_FIELD = "mail_thread";

const REFERENCES_MAX = 50;

const thread = z.object({
  message_id: messageId,
  references: z.array(messageId).max(REFERENCES_MAX),
  subject: z.string().max(998),
});

type MailThread = z.output<typeof thread>;

interface Email {
  readonly subject: string;
  readonly message_id?: string | undefined;
  readonly references?: readonly string[] | undefined;
}

/**
 * Returns the conversation to hand on with the e-mail's ids in it, so that every agent down the line keeps them without
 * a field in its contract. An e-mail that came by another way than mail has no ids.
 */
export function keepThread(conversation: Conversation, email: Email): Conversation {
  const { message_id, references = [], subject } = email;
  if (message_id === undefined) return conversation;
  const kept: MailThread = { message_id, references: references.slice(-REFERENCES_MAX), subject };
  return { ...conversation, metadata: { ...conversation.metadata, [THREAD_FIELD]: kept } };
}

/**
 * Sends the answer to a task that came by mail, once, in the mail's thread; returns its `Message-ID` as the field
 * `mailed` of the result. Nothing for a task that came another way: its client sends the answer.
 */
async function sendOnce<To extends Transitions>(
  ctx: Context<To>,
  { to, subject, body }: ContractOutput<typeof ReplyDraft> & { readonly to: string },
  openMail: Outside["mail"],
): Promise<{ mailed?: string }> {
  const answers = thread.safeParse(ctx.envelope.conversation.metadata[THREAD_FIELD]).data;
  const mail = answers === undefined ? null : openMail();
  if (answers === undefined || mail === null) return {};
  const letter = {
    to,
    // `Re:` once, in front of what the customer wrote.
    subject: answers.subject === "" ? subject : answers.subject.trim().replace(/^(?!re:)/i, "Re: "),
    text: body,
    in_reply_to: answers.message_id,
    references: [...answers.references, answers.message_id],
  };
  // SMTP cannot be asked what it has sent, so nothing is reconciled: after a crash a person looks for the Message-ID.
  const { message_id } = await ctx.once(`mail:${ctx.envelope.meta.run_id}`, (key, signal) =>
    mail.send(letter, key, signal),
  );
  return { mailed: message_id };
}
