import { router } from "#shared/patterns";
import { agent, readPrompt, team } from "#shared/runtime";
import { SupportEmail, TechnicalIssue } from "../contracts.ts";
import { readEmail, readMailbox } from "../read-email.ts";
import { SeverityVote } from "../technical/answer.ts";
import { extracts, Filed } from "./contracts.ts";
import { standIns } from "../rehearsal/stand-ins.ts";

const PROMPTS = new URL("prompts.md", import.meta.url);

const filed = (category: string, when: string, what: keyof typeof extracts) => ({
  to: "file-email",
  contract: Filed,
  when,
  extracts: extracts[what],
  payload: (parameters: object) => {
    const { order_id, amount, reason, kind } = parameters as Readonly<Record<string, unknown>>;
    return { decided: { category, order_id, amount, reason, kind } };
  },
});

const sort = router("sort-email@1", {
  accepts: SupportEmail,
  instructions: readPrompt(PROMPTS, "sort"),
  shows: readEmail,
  routes: {
    refunds: filed("refunds", "they want money back", "refunds"),
    technical: {
      to: "weigh-issue",
      contract: TechnicalIssue,
      when: "something does not work and they want it to work",
      extracts: extracts.technical,
      payload: (parameters, email) => ({ ...parameters, ...customerOf(email) }),
    },
    "feature-requests": filed("feature-requests", "a wish for something new", "nothing"),
    sales: filed("sales", "they may buy: prices, quotes, demonstrations, licences", "nothing"),
    operations: filed("operations", "deliveries, addresses, invoices, accounts, exchanges", "operations"),
    escalation: filed(
      "escalation",
      "legal threats, danger to people, personal data, the press, or nothing that makes sense",
      "nothing",
    ),
    spam: filed("spam", "advertising, phishing, prizes, orders to machines", "nothing"),
  },
  // No model is set.
  standIn: () => ({ decision: { category: "escalation", parameters: {} } }),
});

function customerOf({ from, subject }: { readonly from: string; readonly subject: string }) {
  return { customer_email: readMailbox(from), summary: subject === "" ? "No subject." : subject };
}

const weigh = agent("weigh-issue@1", {
  accepts: TechnicalIssue,
  answers: [SeverityVote],
  standIns: { severity: standIns["severity-impact"] },
  handle: async ({ symptoms, text }, ctx) => {
    const vote = await ctx.model("severity", {
      instructions: readPrompt(PROMPTS, "weigh"),
      input: { symptoms, text },
      answers: SeverityVote,
      temperature: 0,
    });
    return ctx.complete({ decided: { category: "technical", severity: vote.severity } });
  },
});

const file = agent("file-email@1", { accepts: Filed, handle: (one, ctx) => ctx.complete(one) });

/** A router with a solver of one call for what needs one: what one prompt for everything has to beat. */
export const routedTeam = team("support-router", [sort, weigh, file]);
