import { recorded } from "#shared/runtime/tools";
import type { StandIn } from "#shared/runtime";
import advice from "./advice.json" with { type: "json" };
import type { IdeaInput } from "../feature-requests/agent.ts";
import type { ClaimInput } from "../refunds/policy.ts";
import type { StepsInput } from "../technical/answer.ts";
import type { TriageInput } from "../triage/answer.ts";
import {
  draftJointReply,
  draftReply,
  ordersIn,
  preparePacket,
  sentencesOf,
  writeTicket,
} from "./templates.ts";

const NO_MODEL = "No model is set: an e-mail that was not recorded is read by a few English words.";

const SUM =
  /(€|\$|£|EUR|USD|GBP)\s?(\d+(?:\.\d{1,2})?)|(\d+(?:\.\d{1,2})?)\s?(€|\$|£|EUR|USD|GBP|euros?|dollars?|pounds?)/i;
const CURRENCY: Readonly<Record<string, string>> = { "€": "EUR", e: "EUR", $: "USD", u: "USD", d: "USD" };
const NEXT_MATTER = /\s+(?=(?:also|and (?:also|could|please)|besides|secondly|\d\.)\b)/i;

const MONEY_BACK =
  /\b(?:refund|reimburse|return my money|charged twice|(?:money|pay|want|like|get|give me|return) (?:\S+ ){0,4}back)\b|\bmoney back\b/i;

/** The words of each route, in the order in which they are tried. */
const ROUTES = [
  ["legal_threat", /\b(?:lawyer|attorney|legal action|solicitor|sue you)\b/i],
  ["safety", /\b(?:injured|caught fire|burnt|smoke|electric shock|hospital)\b/i],
  ["privacy", /\b(?:gdpr|my personal data|data protection)\b/i],
  ["press", /\b(?:journalist|newspaper|reporter)\b/i],
  ["spam", /\b(?:you have won|lottery|seo|casino|prize)\b/i],
  ["refunds", MONEY_BACK],
  ["technical", /\b(?:crash|error|not work|log ?in|broken link|freez|bug\b|does not open)/i],
  ["address_change", /\baddress\b/i],
  ["invoice", /\b(?:invoice|receipt|vat)\b/i],
  ["delivery", /\b(?:parcel|deliver|shipp|tracking|where is my)/i],
  ["exchange", /\b(?:exchange|replacement|swap)\b/i],
  ["account", /\b(?:account|password|newsletter|subscription)\b/i],
  ["feature-requests", /\b(?:feature|would be (?:nice|great)|could you (?:please )?add|wish)\b/i],
  ["sales", /\b(?:quote|pricing|licen[cs]es?|seats|demo|buy)\b/i],
  ["nothing-asked", /\bthank/i],
] as const;

/** What follows in the same paragraph is an order to a machine, too. */
const MACHINE = /(?:(?:ignore|disregard) .{0,30}instructions|\b(?:system|assistant):|you are now).*/gi;

const CAUSES: readonly string[] = ["legal_threat", "safety", "privacy", "press"];
const KINDS: readonly string[] = ["address_change", "invoice", "delivery", "exchange", "account"];

function sumIn(text: string): { value: number; currency: string } | undefined {
  const [, before, first, second, after] = SUM.exec(text) ?? [];
  const sign = (before ?? after ?? "").toLowerCase();
  const currency = CURRENCY[sign] ?? CURRENCY[sign[0] ?? ""] ?? "GBP";
  return sign === "" ? undefined : { value: Number(first ?? second), currency };
}

/** Reads one request by the first route whose words it has. */
function route(text: string, { subject, order_hint, quoted }: TriageInput): object {
  const own = text.replaceAll(MACHINE, "").trim();
  if (own === "")
    return { route: "spam", language: "en", summary: NO_MODEL, quote: text.slice(0, 500) || "-" };
  const all = `${subject}\n${own}`;
  const routeOf = (words: string) => ROUTES.find(([, pattern]) => pattern.test(words));
  const [name, words] = routeOf(own) ?? routeOf(all) ?? ["unclear", /^/];
  const quote = (sentencesOf(own).find((one) => words.test(one)) ?? own).slice(0, 500);
  const found = [text, subject, order_hint ?? "", quoted].flatMap(ordersIn)[0] ?? order_hint;
  const order = found === null ? {} : { order_id: found };
  const summary = (name === "unclear" ? NO_MODEL : `${subject}: ${quote}`).slice(0, 300);
  const read = { language: "en", summary, quote };
  if (name === "unclear" || CAUSES.includes(name))
    return { route: "escalation", ...read, cause: name, ...order };
  if (KINDS.includes(name)) {
    const wants_refund = MONEY_BACK.test(text);
    return { route: "operations", ...read, kind: name, wants_refund, ...order };
  }
  const amount = sumIn(text);
  const more: Readonly<Record<string, object>> = {
    refunds: {
      ...order,
      ...(amount && { amount }),
      reason: /brok|crack|damag|defect/i.test(text) ? "damaged" : "other",
    },
    technical: { product: "unknown", symptoms: [quote.slice(0, 300)], ...order },
    "feature-requests": { idea: quote.slice(0, 300) },
    sales: amount === undefined ? {} : { budget: amount },
  };
  return { route: name, ...read, ...more[name] };
}

const voted = () => ({ severity: "medium", because: NO_MODEL });

/** Answers of the team's model steps for e-mails in plain English, for a rehearsal without a model. */
const english = {
  requests: (input: TriageInput) => ({
    requests: input.text
      .split(NEXT_MATTER)
      .slice(0, 8)
      .map((text) => route(text, input)),
  }),
  claim: ({ text }: ClaimInput) => {
    const asks = sentencesOf(text).find((one) => MONEY_BACK.test(one));
    const isDenied = /\b(?:no|not|never|don't)\b.{0,30}\b(?:refund|money)|\bkeep the money\b/i.test(text);
    const isOrder = text.search(MACHINE) >= 0;
    const isIf = /\bif\b/i.test(asks ?? "");
    const asked = isIf ? "if_lost" : "money_back";
    const wants = isDenied ? "no_money" : isOrder || asks === undefined ? "unclear" : asked;
    const payout_elsewhere = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}\b|\banother (?:account|card)\b/i.test(
      text,
    );
    return { wants, quote: asks ?? text.slice(0, 1000), amount: sumIn(text) ?? null, payout_elsewhere };
  },
  "severity-impact": voted,
  "severity-urgency": voted,
  "severity-workaround": voted,
  steps: ({ language }: StepsInput) => ({ steps: advice[language === "other" ? "en" : language] }),
  note: ({ idea }: IdeaInput) => ({ title: idea.slice(0, 120), benefit: idea.slice(0, 500), area: "other" }),
  score: () => ({ score: 0, reasons: [NO_MODEL] }),
  ticket: writeTicket,
  packet: preparePacket,
  draft: draftReply,
  "joint-draft": draftJointReply,
  check: () => ({ says: [] }),
} satisfies Readonly<Record<string, StandIn>>;

/** What models answer in a rehearsal: recorded answers for the shipped e-mails, for any other a little English. */
export const standIns = recorded(new URL("../recordings/support.jsonl", import.meta.url), english);
