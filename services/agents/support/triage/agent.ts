import { now } from "#shared/clock";
import { fanOut, watchRouting } from "#shared/patterns";
import { agent, readPrompt } from "#shared/runtime";
import type { HandlerOutcome } from "#shared/runtime";
import type { ContractOutput } from "#shared/contract";
import { SupportEmail } from "../contracts.ts";
import { keepThread } from "../mail-thread.ts";
import { deniesMoneyBack } from "../reading/asks-money-back.ts";
import { isAutomatic } from "../reading/is-automatic.ts";
import { routeEmail } from "../rehearsal/triage.ts";
import { readMailbox } from "../read-mailbox.ts";
import { TriageAnswer } from "./answer.ts";
import type { TriageInput } from "./answer.ts";
import {
  dropUnmarkedOrder,
  listUngrounded,
  restsOnQuotedPromise,
  takeOrderFromSubject,
} from "./ground-decision.ts";
import { escalatePart, handOn, to } from "./hand-on.ts";
import type { HandOnContext } from "./hand-on.ts";
import { partRequests } from "./part-requests.ts";
import type { RequestPart } from "./part-requests.ts";
import { readEmail } from "./read-email.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "route");

type Email = ContractOutput<typeof SupportEmail>;

/** What the router is told by the settings. */
export interface TriageOptions {
  /** Source of a regular expression for ids that count as orders without a word beside them. */
  readonly orderFormat: () => string;
}

/**
 * Sorts incoming e-mails: one model call finds the requests, chooses their routes and takes out what the agents there
 * need. Several requests become branches, which `joint-reply` answers together.
 */
export function createTriage({ orderFormat }: TriageOptions) {
  return agent("triage@1", {
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
    standIns: { requests: routeEmail },
    handle: async (email, ctx) => {
      if (isAutomatic(email)) return ctx.complete(archived("automatic", "other"));
      const input = readEmail(email);
      const asked = { instructions: INSTRUCTIONS, input, answers: TriageAnswer, temperature: 0 };
      const startedMs = now();
      const { requests } = await ctx.model("requests", asked);
      const modelMs = now() - startedMs;
      const format = orderFormat();
      const marked = requests.map((request) => dropUnmarkedOrder(request, email, format));
      const parts = partRequests(takeOrderFromSubject(marked, input, format), input.text).filter(
        (part, _, all) => isWork(part, all),
      );
      const outcome = handAllOn(parts, { email, input }, ctx);
      watchRouting(ctx, { modelMs, tookMs: now() - startedMs });
      return outcome;
    },
  });
}

/** Advertising and thanks beside real requests are no work of their own. */
function isWork({ decision }: RequestPart, all: readonly RequestPart[]): boolean {
  const isIdle = (part: RequestPart): boolean =>
    part.decision?.route === "spam" || part.decision?.route === "nothing-asked";
  return decision === null || !isIdle({ text: "", decision }) || all.every((part) => isIdle(part));
}

interface Read {
  readonly email: Email;
  readonly input: TriageInput;
}

function handAllOn(parts: readonly RequestPart[], read: Read, ctx: HandOnContext): HandlerOutcome {
  const { email } = read;
  const [only, ...more] = parts;
  const decision = only?.decision ?? null;
  if (decision !== null && (decision.route === "spam" || decision.route === "nothing-asked")) {
    return ctx.complete(archived(decision.route, decision.language));
  }
  const conversation = keepThread(ctx.envelope.conversation, email);
  const languageOf = parts.find((part) => part.decision !== null)?.decision?.language ?? "other";
  const customer_email = readMailbox(email.from);
  const branches = parts.map((part) =>
    handPartOn(part, { ...read, ctx, conversation, language: languageOf }),
  );
  const [single] = branches;
  if (single !== undefined && more.length === 0) return single;
  const requests = parts.map(({ decision: each, text }) => each?.summary ?? text.slice(0, 1000));
  const plan = { customer_email, language: languageOf, requests };
  const join = ctx.handoff("joint-reply", plan, { reason: `${parts.length} requests`, conversation });
  return fanOut({ branches, join, policy: "collect" });
}

interface PartContext extends Read {
  readonly ctx: HandOnContext;
  readonly conversation: ReturnType<typeof keepThread>;
  readonly language: ContractOutput<typeof TriageAnswer>["requests"][number]["language"];
}

function handPartOn({ decision, text }: RequestPart, context: PartContext): HandlerOutcome {
  const { email, input, ctx, conversation, language } = context;
  const customer_email = readMailbox(email.from);
  if (decision === null) {
    const summary = "A part of the e-mail that no queue took.";
    const findings = ["triage left this part of the e-mail without an answer"];
    return escalatePart({ customer_email, language, summary, text }, { findings, ctx, conversation });
  }
  const customer = { customer_email, language: decision.language, summary: decision.summary, text };
  const findings = [
    ...listUngrounded(decision, email).map(
      (field) => `triage named a value for ${field} that the e-mail does not hold`,
    ),
    ...(restsOnQuotedPromise(decision, input)
      ? ["the refund rests on a promise in quoted words, which prove nothing"]
      : []),
  ];
  if (decision.route === "refunds" && decision.order_id === undefined && deniesMoneyBack(text)) {
    findings.push("triage chose refunds, and the customer says that no money is to be paid back");
  }
  if (findings.length > 0) {
    return escalatePart(customer, { findings, category: decision.route, ctx, conversation });
  }
  return handOn(decision, customer, { ctx, conversation });
}

function archived(cause: "automatic" | "spam" | "nothing-asked", language: string) {
  const category = cause === "nothing-asked" ? cause : "spam";
  return { status: "archived", cause, language, decided: { category } };
}
