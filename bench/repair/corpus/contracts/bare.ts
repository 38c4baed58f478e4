import { boolean, choice, constant, date, integer, list, number, object, text, union } from "../contract.ts";
import type { CorpusContract } from "../contract.ts";
import * as natural from "../natural.ts";
import { TOPICS } from "../words.ts";

const label: CorpusContract = {
  name: "ticket-label",
  part: choice(
    ["bug_report", "feature_request", "question", "complaint"],
    "Label of the message. A defect counts as bug_report, a wish as feature_request.",
    { synonyms: { bug_report: ["defect"], feature_request: ["wish"] } },
  ),
  make: (draw) => draw.pick(["bug_report", "feature_request", "question", "complaint"]),
};

const spam: CorpusContract = {
  name: "is-spam",
  part: boolean("Whether the message is spam"),
  make: (draw) => natural.chance(draw, 0.5),
};

const score: CorpusContract = {
  name: "sentiment-score",
  part: number("From -1 (negative) to 1 (positive)", { minimum: -1, maximum: 1 }),
  make: (draw) => natural.decimal(draw, -1, 1, 2),
};

const count: CorpusContract = {
  name: "people-count",
  part: integer(
    "Number of people in the picture",
    { minimum: 0, maximum: 5000 },
    { units: ["people"], otherUnits: ["kg"] },
  ),
  make: (draw) => draw.pick([0, 1, 2, 12, 147, 2500]),
};

const keywords: CorpusContract = {
  name: "keywords",
  part: list(text(), "Keywords of the article", { minItems: 1 }),
  make: (draw) => natural.some(draw, TOPICS, 2, 5),
};

const todos: CorpusContract = {
  name: "action-items",
  part: list(
    object({
      task: text("What is to be done"),
      owner: text("Who does it"),
      due_on: date("Deadline"),
      is_done: boolean(),
    }),
    "Action items of the meeting",
    { minItems: 1 },
  ),
  make: (draw) =>
    natural.times(draw, 2, 4, () => ({
      task: natural.sentence(draw),
      owner: natural.person(draw),
      due_on: natural.isoDate(draw),
      is_done: natural.chance(draw, 0.4),
    })),
};

const payment: CorpusContract = {
  name: "payment-method",
  part: union(
    object({
      method: constant("card"),
      last_four: text("Last four digits", { pattern: "^[0-9]{4}$" }),
      expires: text("MM/YY", { pattern: "^[0-9]{2}/[0-9]{2}$" }),
    }),
    object({
      method: constant("bank_debit"),
      iban: text("", { pattern: "^[A-Z]{2}[0-9]{12,20}$" }),
      account_holder: text(),
    }),
    object({
      method: constant("invoice"),
      days_to_pay: integer("Term in days", { minimum: 1, maximum: 90 }, { units: ["days"] }),
    }),
  ),
  make: (draw) =>
    draw.pick([
      () => ({
        method: "card",
        last_four: natural.numericId(draw, 4),
        expires: `0${natural.between(draw, 1, 9)}/29`,
      }),
      () => ({
        method: "bank_debit",
        iban: `DE${natural.numericId(draw, 18)}`,
        account_holder: natural.person(draw),
      }),
      () => ({ method: "invoice", days_to_pay: natural.between(draw, 1, 90) }),
    ])(),
};

const names: CorpusContract = {
  name: "cast-list",
  part: list(text(), "Names of the cast, in order of appearance", { minItems: 2 }),
  make: (draw) =>
    natural.some(draw, ["Ann Lee", "Siobhán O'Brien", "王小明", "Jean-Luc", "Олена", "Bob Smith"], 2, 4),
};

export const BARE = [label, spam, score, count, keywords, todos, payment, names];
