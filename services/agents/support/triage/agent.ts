import { now } from "#shared/clock";
import { fanOut, watchRouting } from "#shared/patterns";
import { agent, readPrompt } from "#shared/runtime";
import type { HandlerOutcome } from "#shared/runtime";
import type { ContractOutput } from "#shared/contract";
import { SupportEmail } from "../contracts.ts";
import { keepThread } from "../reply/send-once.ts";
import { readEmail, readMailbox } from "../read-email.ts";
import { standIns } from "../rehearsal/stand-ins.ts";
import { TriageAnswer, listUngrounded } from "./answer.ts";
import type { Decision } from "./answer.ts";
import { escalateUngrounded, handOn, to } from "./hand-on.ts";
import type { HandOnContext } from "./hand-on.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "route");

/** Mailboxes from which programs report that a mail did not arrive. Nobody reads an answer to them. */
const MAIL_PROGRAMS = /^(?:mailer-daemon|postmaster)@/;

type Email = ContractOutput<typeof SupportEmail>;

/**
 * Sorts incoming e-mails: one model call finds the requests, chooses their routes and takes out what the agents there
 * need. Several requests become branches, which `joint-reply` answers together; each has the whole e-mail before it.
 */
export const triage = agent("triage@1", {
  accepts: SupportEmail,
  guard: {
    mayCause: [],
    untrusted: { payload: { "/subject": "customer", "/body": "customer" } },
    injection: { reaction: "flag" },
  },
  to,
  description: "Sorts e-mails and takes out the parameters of whoever handles them.",
  capabilities: ["routing"],
  tier: "router",
  answers: [TriageAnswer],
  standIns: { requests: standIns.requests },
  handle: async (email, ctx) => {
    if (MAIL_PROGRAMS.test(readMailbox(email.from))) return ctx.complete(archived("automatic", "other"));
    const input = readEmail(email);
    const asked = { instructions: INSTRUCTIONS, input, answers: TriageAnswer, temperature: 0 };
    const startedMs = now();
    const { requests } = await ctx.model("requests", asked);
    const modelMs = now() - startedMs;
    const outcome = handAllOn(requests, { email, text: wordsOf(input) }, ctx);
    watchRouting(ctx, { modelMs, tookMs: now() - startedMs });
    return outcome;
  },
});

/** A subject may say what the text does not. */
function wordsOf({ subject, text }: { readonly subject: string; readonly text: string }): string {
  return subject.trim() === "" ? text : `${subject.trim()}\n\n${text}`;
}

function isIdle({ route }: Decision): boolean {
  return route === "spam" || route === "nothing-asked";
}

interface Read {
  readonly email: Email;
  /** The customer's own words. */
  readonly text: string;
}

function handAllOn(requests: readonly Decision[], read: Read, ctx: HandOnContext): HandlerOutcome {
  // Advertising and thanks beside real requests are no work of their own.
  const work = requests.filter((request) => !isIdle(request));
  const [first, ...more] = work.length === 0 ? requests : work;
  if (first === undefined) throw new RangeError("the contract asks for one request at least");
  if (isIdle(first) && listUngrounded(first, read.email).length === 0)
    return ctx.complete(archived(first.route, first.language));
  const conversation = keepThread(ctx.envelope.conversation, read.email);
  const customer_email = readMailbox(read.email.from);
  const branches = [first, ...more].map((decision) => {
    const { language, summary } = decision;
    const customer = { customer_email, language, summary, text: read.text };
    const missing = listUngrounded(decision, read.email);
    if (missing.length > 0) return escalateUngrounded(customer, { decision, missing, ctx, conversation });
    return handOn(decision, customer, { ctx, conversation });
  });
  const [single] = branches;
  if (single !== undefined && more.length === 0) return single;
  const plan = {
    customer_email,
    language: first.language,
    requests: [first, ...more].map(({ summary }) => summary),
  };
  const join = ctx.handoff("joint-reply", plan, { reason: `${branches.length} requests`, conversation });
  return fanOut({ branches, join, policy: "collect" });
}

function archived(cause: string, language: string) {
  const category = cause === "nothing-asked" ? cause : "spam";
  return { status: "archived", cause, language, decided: { category } };
}
