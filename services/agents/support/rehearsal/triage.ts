import type { StandIn } from "#shared/runtime";
import { asksForSum, findMoney, listMoney } from "../reading/find-money.ts";
import { detectLanguage } from "../reading/detect-language.ts";
import { dropOrdersToMachines } from "../reading/drop-orders-to-machines.ts";
import { findOrderId } from "./find-order-id.ts";
import { foldText } from "../reading/fold-text.ts";
import { hasPhrase, phraseScore } from "../reading/phrase-score.ts";
import { sentencesOf } from "../reading/sentences.ts";
import type { Decision, TriageInput } from "../triage/answer.ts";
import {
  readCompany,
  readOperationsKind,
  readRefundReason,
  readSeats,
  wantsRefundElse,
} from "../reading/read-parameters.ts";
import { asksForSomething } from "../reading/asks.ts";
import { splitRequests } from "../reading/split-requests.ts";
import { REQUESTS_MAX } from "../triage/answer.ts";
import { ROUTES, SCORE_MIN, scoreOf, topicOf } from "../reading/topics.ts";
import words from "../reading/words.json" with { type: "json" };

type Route = Decision["route"];

/** Matters that only a person decides, the gravest first. */
const CAUSES = ["safety", "legal_threat", "privacy", "press"] as const;

/** Decides as the router would, from the e-mail's words in eight languages: each piece by itself, then the whole. */
export const routeEmail = ((input: TriageInput) => ({ requests: decideAll(input) })) satisfies StandIn;

function decideAll(input: TriageInput): Decision[] {
  const whole = decideEmail(input);
  const pieces = splitRequests(dropOrdersToMachines(input.text).text);
  if (whole.route === "escalation" && whole.cause !== "unclear") return [whole];
  if (pieces.length < 2) return [whole];
  const parts = pieces.map((text) =>
    decideEmail({ ...input, subject: "", text, quoted: "", order_hint: null }),
  );
  return parts.slice(0, REQUESTS_MAX);
}

/** Decides about an e-mail as if it were one request. */
export function decideEmail(input: TriageInput): Decision {
  const sifted = dropOrdersToMachines(input.text);
  const subject = dropOrdersToMachines(input.subject).text;
  const own = sifted.text;
  const folded = withoutDenials(foldText(`${subject}\n${own}`));
  const language = detectLanguage(own === "" ? input.text : own);
  const told = { language, summary: summarise(subject, own) };
  const undecided = { ...told, quote: quoteOf(own === "" ? input.text : own, null) };
  const orderId =
    findOrderId(own) ?? findOrderId(subject) ?? input.order_hint ?? findOrderId(input.quoted) ?? undefined;
  const order = orderId === undefined ? {} : { order_id: orderId };
  const cause = CAUSES.find((name) => hasPhrase(folded, words.causes[name]));
  if (cause !== undefined) return { route: "escalation", ...undecided, cause, ...order };
  if (onlyThanks(own)) return { route: "nothing-asked", ...undecided };
  // A message that is nothing but orders to machines has nothing else to be decided by.
  if (own === "" && sifted.hadOrders) return { route: "spam", ...undecided };
  const route = strongestRoute(folded, { subject: foldText(subject), asksForSum: asksForSum(own) });
  const read = { ...told, quote: quoteOf(own === "" ? input.text : own, route) };
  switch (route) {
    case "refunds": {
      const amount = findMoney(own);
      return {
        route,
        ...read,
        ...order,
        ...(amount === undefined ? {} : { amount }),
        reason: readRefundReason(folded),
      };
    }
    case "technical":
      return { route, ...read, product: "unknown", symptoms: symptomsOf(own), ...order };
    case "feature-requests":
      return { route, ...read, idea: strongestSentence(own, "feature-requests") || read.summary };
    case "sales":
      return { route, ...read, ...salesParameters(input.from, own) };
    case "operations":
      return {
        route,
        ...read,
        kind: readOperationsKind(folded),
        ...order,
        wants_refund: wantsRefundElse(folded),
      };
    case "spam":
      return { route, ...read };
    case "nothing-asked":
      return { route, ...read };
    case "escalation":
      return { route, ...read, cause: "unclear", ...order };
  }
}

interface Signs {
  readonly subject: string;
  readonly asksForSum: boolean;
}

function strongestRoute(folded: string, { subject, asksForSum: doesAskForSum }: Signs): Route {
  const scores = ROUTES.map((route) => ({
    route,
    score:
      scoreOf(folded, route) + 0.5 * scoreOf(subject, route) + (route === "refunds" && doesAskForSum ? 2 : 0),
  }));
  const [best] = scores.toSorted((a, b) => b.score - a.score);
  if (best === undefined || best.score < SCORE_MIN) return "escalation";
  // Money back is what decides: a broken kettle and a refund asked for is a refund, however much is said of the kettle.
  const refunds = phraseScore(folded, words.routes.refunds);
  const isAskedFor = hasPhrase(folded, words.routes.refunds["4"]);
  if (best.route !== "spam" && isAskedFor && refunds >= 0.25 * best.score) return "refunds";
  return best.route;
}

const THANKS = / (?:thank|thanks|danke|dank|merci|gracias|grazie|dziekuj|obrigad|bedankt|dank u) /;

/** Thanks, and not a sentence that asks for anything or reports anything. */
function onlyThanks(own: string): boolean {
  return THANKS.test(foldText(own)) && !sentencesOf(own).some((sentence) => asksForSomething(sentence));
}

function withoutDenials(folded: string): string {
  return words.no_refund.reduce((text, denial) => text.replaceAll(` ${denial}`, " "), folded);
}

/** The sentence that asks for what the queue is for, else one about that, else one that asks, else the first. */
function quoteOf(text: string, route: Route | null): string {
  const sentences = sentencesOf(text);
  const own = sentences.filter((sentence) => topicOf(sentence) === route);
  const [quote = "-"] = [
    ...own.filter(asksForSomething),
    ...own,
    ...sentences.filter(asksForSomething),
    ...sentences,
  ];
  return quote.slice(0, 500);
}

function summarise(subject: string, own: string): string {
  const [first = ""] = sentencesOf(own).filter((sentence) => sentence.split(/\s+/).length >= 4);
  const said = [subject.trim(), first.trim()].filter((part) => part !== "").join(": ");
  return (said === "" ? "The customer's message holds no sentence." : said).slice(0, 300);
}

function strongestSentence(own: string, route: keyof typeof words.routes): string {
  const [best] = sentencesOf(own).toSorted(
    (a, b) => phraseScore(foldText(b), words.routes[route]) - phraseScore(foldText(a), words.routes[route]),
  );
  return (best ?? "").slice(0, 300);
}

function symptomsOf(own: string): string[] {
  return sentencesOf(own)
    .filter((sentence) => phraseScore(foldText(sentence), words.routes.technical) >= 2)
    .map((sentence) => sentence.slice(0, 300))
    .slice(0, 5);
}

function salesParameters(from: string, own: string) {
  const company = readCompany(own, from);
  const seats = readSeats(own);
  const budget = listMoney(own).toSorted((a, b) => b.value - a.value)[0];
  return {
    ...(company === undefined ? {} : { company }),
    ...(seats === undefined ? {} : { seats }),
    ...(budget === undefined ? {} : { budget }),
  };
}
