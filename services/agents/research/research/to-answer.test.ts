import { expect, test } from "vitest";
import { commissionCheck } from "./agent.ts";
import { toAnswer } from "./look-up.ts";
import type { Settled } from "./look-up.ts";
import { QUESTIONS_MAX } from "../contracts.ts";

const said = (source_id: string, quote: string) => ({
  statement: quote,
  quote,
  passage: {
    passage_id: `${source_id}#1`,
    source_id,
    title: "t",
    publisher: source_id,
    published: "2023",
    text: quote,
  },
});
const COUNCIL = said("council", "The barrier cost 41.2 million euros.");
const AUDIT = said("audit", "The barrier cost 47.9 million euros.");

const part = (more: Partial<Settled> = {}): Settled => ({
  question: "What did it cost?",
  said: [COUNCIL],
  denial: null,
  missing: "",
  disagree: false,
  unconfirmed: 0,
  ...more,
});

test.each([
  ["every part has an answer", [part(), part()], ["answered", "answered", "answered"]],
  ["a part has none", [part(), part({ said: [] })], ["open_points", "answered", "open"]],
  ["no part has one", [part({ said: [] })], ["not_found", "open"]],
  ["the model says what is missing", [part({ missing: "what it costs a year" })], ["open_points", "open"]],
  ["a second reading did not bear a sentence out", [part({ unconfirmed: 1 })], ["open_points", "open"]],
  ["a source denies what is taken for granted", [part({ denial: AUDIT })], ["open_points", "contradicted"]],
])("settles a lookup in which %s", (_what, parts, statuses) => {
  const { status, parts: settled, citations } = toAnswer(parts);
  expect([status, ...settled.map((one) => one.status)]).toEqual(statuses);
  expect(settled.flatMap(({ markers }) => markers)).toEqual(citations.map(({ marker }) => marker));
});

test("tells that sources disagree where the model says so and more than one is cited", () => {
  const disagreeing = (one: Settled) => toAnswer([one]).parts[0]?.sources_disagree;
  expect(disagreeing(part({ disagree: true, said: [COUNCIL, AUDIT] }))).toBe(true);
  expect(disagreeing(part({ disagree: true }))).toBe(false);
  expect(disagreeing(part({ said: [COUNCIL, AUDIT] }))).toBe(false);
});

test("every claim of a document is a question of its own, and what is left out is counted", () => {
  const claims = Array.from({ length: 8 }, (_, index) => ({ claim: `c${index}`, quote: `q${index}` }));
  const { questions, reference } = commissionCheck({
    conversation: { conversation_id: "c", turn: 1 },
    question: "Does it hold?",
    reference: {
      document: { title: "t", text: "t" },
      analysis: { summary: "s", claims, questions: ["a", "b", "c"], left_out: 4 },
    },
  });
  expect(questions).toHaveLength(QUESTIONS_MAX);
  expect(reference?.unchecked).toBe(5);
});
