import type { ContractOutput } from "#shared/contract";
import { recorded } from "#shared/runtime/tools";
import advice from "./advice.json" with { type: "json" };
import replies from "./replies.json" with { type: "json" };
import type { Language } from "../contract-fields.ts";
import type { ReplyPart } from "../joint-reply/contracts.ts";
import type { TriageInput } from "../read-email.ts";

const NO_MODEL = "No model is set: an e-mail that was not recorded is read by a few English words.";
const SUM =
  /(€|\$|£|EUR|USD|GBP)\s?(\d+(?:\.\d{1,2})?)|(\d+(?:\.\d{1,2})?)\s?(€|\$|£|EUR|USD|GBP|euros?|dollars?|pounds?)/i;
/** The first characters of each currency's signs and names. */
const CURRENCIES = { EUR: "€e", USD: "$ud", GBP: "£gp" };
const NEXT_MATTER = /\s+(?=(?:also|and (?:also|could|please)|besides|secondly|\d\.)\b)/i;
const ORDER =
  /\border(?: (?:number|no\.?|is))*[\s:#]*([A-Z]{0,5}-?\d{3,12})\b|\b([A-Z]{1,5}-\d{3,12})\b|#(\d{4,12})\b/gi;
const ELSEWHERE = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}\b|\banother (?:account|card)\b/i;
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
const KINDS: readonly string[] = ["address_change", "invoice", "delivery", "exchange", "account"];
const CAUSES: readonly string[] = ["legal_threat", "safety", "privacy", "press", "unclear"];

/** An order to a machine, with the rest of its paragraph. */
const MACHINE = /(?:(?:ignore|disregard) .{0,30}instructions|\b(?:system|assistant):|you are now).*/gi;

type Asked = Readonly<Record<"text" | "summary", string>>;
interface Reader {
  readonly language: Language;
  readonly preferences?: { readonly tone?: string };
}
type Part = ContractOutput<typeof ReplyPart>;
type Told = Partial<Part> & Pick<Part, "facts" | "steps">;

const sentencesOf = (text: string) => text.split(/(?<=[.!?])\s+|\n+/).filter((one) => one.trim() !== "");
const ordersIn = (text: string) =>
  [...text.matchAll(ORDER)].flatMap(([, first, second, third]) => first ?? second ?? third ?? []);

function sumIn(text: string): { value: number; currency: string } | undefined {
  const [, before, first, second, after] = SUM.exec(text) ?? [];
  const sign = (before ?? after ?? "?").slice(0, 1).toLowerCase();
  const [currency] = Object.entries(CURRENCIES).find(([, signs]) => signs.includes(sign)) ?? [];
  return currency === undefined ? undefined : { value: Number(first ?? second), currency };
}

function route(text: string, { subject, order_hint, quoted }: TriageInput): object {
  const own = text.replaceAll(MACHINE, "").trim();
  if (own === "")
    return { route: "spam", language: "en", summary: NO_MODEL, quote: text.slice(0, 99) || "-" };
  const routeOf = (words: string) => ROUTES.find(([, pattern]) => pattern.test(words));
  const [name, words] = routeOf(own) ?? routeOf(`${subject}\n${own}`) ?? ["unclear", /^/];
  const quote = (sentencesOf(own).find((one) => words.test(one)) ?? own).slice(0, 500);
  const found = [text, subject, order_hint ?? "", quoted].flatMap(ordersIn)[0] ?? order_hint;
  const order = found === null ? {} : { order_id: found };
  const summary = (name === "unclear" ? NO_MODEL : `${subject}: ${quote}`).slice(0, 300);
  const read = { language: "en", summary, quote };
  const amount = sumIn(text);
  const reason = /brok|crack|damag|defect/i.test(text) ? "damaged" : "other";
  const more: Readonly<Record<string, object>> = {
    refunds: { ...order, ...(amount && { amount }), reason },
    technical: { product: "unknown", symptoms: [quote.slice(0, 300)], ...order },
    "feature-requests": { idea: quote.slice(0, 300) },
    sales: amount === undefined ? {} : { budget: amount },
  };
  if (KINDS.includes(name))
    return { route: "operations", ...read, kind: name, wants_refund: MONEY_BACK.test(text), ...order };
  return CAUSES.includes(name)
    ? { route: "escalation", ...read, cause: name, ...order }
    : { route: name, ...read, ...more[name] };
}

const phrasesOf = ({ language }: Reader) => replies[language === "other" ? "en" : language];

function paragraph({ outcome, facts, steps }: Told, reader: Reader): string {
  const list = steps.map((step, index) => `${index + 1}. ${step}`);
  const known = facts.map(({ label, value }) => `${label}: ${value}`);
  return [phrasesOf(reader)[outcome ?? "with_a_person"], ...list, ...known].join("\n");
}

function letter(paragraphs: readonly string[], reader: Reader): object {
  const { subject, greeting, closing } = phrasesOf(reader);
  const whole = reader.preferences?.tone === "brief" ? paragraphs : [greeting, ...paragraphs, closing];
  return { subject, body: whole.join("\n\n").slice(0, 6000) };
}

const voted = () => ({ severity: "medium", because: NO_MODEL });

/** Answers of models in a rehearsal: recorded answers for the shipped e-mails, for any other a little English. */
export const standIns = recorded(new URL("../recordings/support.jsonl", import.meta.url), {
  requests: (input: TriageInput) => ({
    requests: input.text.split(NEXT_MATTER, 8).map((text) => route(text, input)),
  }),
  claim: ({ text }: Asked) => {
    const asks = sentencesOf(text).find((one) => MONEY_BACK.test(one));
    const isDenied = /\b(?:no|not|never|don't)\b.{0,30}\b(?:refund|money)|\bkeep the money\b/i.test(text);
    const isUnclear = text.search(MACHINE) >= 0 || asks === undefined;
    const wants = isUnclear ? "unclear" : /\bif\b/i.test(asks) ? "if_lost" : "money_back";
    const payout_elsewhere = ELSEWHERE.test(text);
    const [quote, amount] = [asks ?? text.slice(0, 1000), sumIn(text) ?? null];
    return { wants: isDenied ? "no_money" : wants, quote, amount, payout_elsewhere };
  },
  "severity-impact": voted,
  "severity-urgency": voted,
  "severity-workaround": voted,
  steps: ({ language }: Reader) => ({ steps: advice[language === "other" ? "en" : language] }),
  note: ({ idea }: { readonly idea: string }) => ({
    title: idea.slice(0, 120),
    benefit: idea,
    area: "other",
  }),
  score: () => ({ score: 0, reasons: [NO_MODEL] }),
  ticket: ({ kind, summary, text }: Asked & { readonly kind: string }) => ({
    title: `Customer's request: ${kind}`,
    body: `${summary}\n${text}`.slice(0, 2000),
    severity: "medium",
  }),
  packet: ({ cause, summary, text }: Asked & { readonly cause: string }) => ({
    headline: `${cause.replaceAll("_", " ")}: ${summary}`.slice(0, 120),
    what_happened: summary.slice(0, 1000),
    what_is_wanted: (sentencesOf(text)[0] ?? summary).slice(0, 1000),
    suggested_next: "Read the customer's message and decide.",
    tone: /!{2,}/.test(text) ? "angry" : "calm",
  }),
  draft: (input: Told & Reader) => letter([paragraph(input, input)], input),
  "joint-draft": ({ requests, ...reader }: Reader & { readonly requests: readonly Told[] }) => {
    const shown = requests.filter(({ status }) => status !== "archived");
    const paragraphs = shown.map((one, index) => `${index + 1}) ${paragraph(one, reader)}`);
    return letter(paragraphs, reader);
  },
  check: () => ({ says: [] }),
});
