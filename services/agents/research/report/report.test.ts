import { describe, expect, test } from "vitest";
import { checkPayload, PayloadContentError } from "#shared/contract";
import { Brief, Found, ResearchRequest } from "../contracts.ts";
import type { Draft, Finding } from "../contracts.ts";
import { findMissing, joinObjections, unsupported } from "../editor/agent.ts";
import { formatReport } from "./report.ts";

const find = (id: string, quote: string, source = id): Finding => ({
  finding_id: id,
  question_id: id.slice(0, 2),
  statement: quote,
  quote,
  source_id: source,
  title: `Title of ${source}`,
  publisher: `Publisher ${source}`,
  published: "2023",
});

const COST = find("q1f1", "The barrier cost 41.2 million euros to build.", "council");
const OTHER_COST = find("q1f2", "The barrier cost 47.9 million euros to build.", "audit");
const GATES = find("q2f1", "It has four gates, each of which weighs 210 tonnes.", "note");

const QUESTIONS = [
  { question_id: "q1", text: "What did the barrier cost to build?", claim: null },
  { question_id: "q2", text: "How much does a gate weigh?", claim: null },
  { question_id: "q3", text: "When was the lock opened?", claim: null },
];
const FINDINGS = [COST, OTHER_COST, GATES];

const claim = (finding: Finding, text = finding.quote) => ({
  text,
  question_id: finding.question_id,
  finding_ids: [finding.finding_id],
});

const DISPUTE = {
  ...claim(COST, "The council says 41.2 million euros to build the barrier, the audit 47.9 million."),
  finding_ids: ["q1f1", "q1f2"],
};
const SOUND: Draft = {
  title: "Barrier",
  claims: [DISPUTE, claim(GATES)],
  unanswered: ["q3"],
  disagreeing: ["q1"],
};

describe("what is counted of a draft", () => {
  test.each([
    ["passed over", { claims: [DISPUTE, claim(GATES)], unanswered: [] }, "q3"],
    ["said to be open though there are findings", { claims: [DISPUTE], unanswered: ["q2", "q3"] }, "q2"],
  ])("objects to a question that is %s", (_what, draft, id) => {
    const objections = findMissing({
      questions: QUESTIONS,
      findings: FINDINGS,
      draft: { ...SOUND, ...draft },
    });
    expect(objections).toMatchObject([{ kind: "missing_question", question_id: id }]);
    expect(joinObjections(objections, objections)).toHaveLength(1);
  });
});

describe("a report", () => {
  const brief = {
    conversation: { conversation_id: "c", turn: 1 },
    goal: "g",
    questions: QUESTIONS,
    findings: FINDINGS,
    claims: [],
    unchecked: 0,
    held_back: [],
    failed: [],
  };

  test("says what stays open: questions, and objections when the rounds are spent", () => {
    expect(checkPayload(Brief, brief)).toEqual(brief);
    const open = formatReport(brief, { draft: SOUND, round: 2, objections: [] });
    expect(open).toMatchObject({ status: "open_points", rounds: 2 });
    expect(open.open).toEqual(["not answered by the sources: When was the lock opened?"]);
    expect(open.parts.map(({ sources_disagree: disagree }) => disagree)).toEqual([true, false, false]);
    const objections = [unsupported(1, claim(GATES))];
    const spent = formatReport(brief, { draft: SOUND, round: 3, objections });
    expect(spent.open[0]).toMatch(/^unsupported claim: Claim 1: a second reading/);
    expect(formatReport(brief, { draft: { ...SOUND, claims: [] }, round: 1, objections: [] }).status).toBe(
      "not_found",
    );
  });
});

describe("a quotation that does not stand in its source", () => {
  const passage = {
    passage_id: "a#1",
    source_id: "a",
    title: "t",
    publisher: "p",
    published: "2023",
    text: COST.quote,
  };
  const found = (quote: string, passage_id = "a#1") => ({
    question: QUESTIONS[0],
    passages: [passage],
    readings: [{ statement: "s", quote, passage_id }],
    held_back: [],
  });

  test("is a content error of what a researcher brings back", () => {
    expect(checkPayload(Found, found(COST.quote))).toBeDefined();
    for (const bad of [found(OTHER_COST.quote), found(COST.quote, "a#2"), found("The barrier cost 41")])
      expect(() => checkPayload(Found, bad)).toThrow(PayloadContentError);
  });

  test("is a content error of what is said of a document", () => {
    const request = (quote: string) => ({
      conversation: { conversation_id: "c", turn: 1 },
      question: "Does it hold?",
      context: [],
      reference: {
        document: { title: "t", text: COST.quote },
        analysis: { summary: "s", claims: [{ claim: "c", quote }], questions: ["q"] },
      },
    });
    expect(checkPayload(ResearchRequest, request(COST.quote))).toBeDefined();
    expect(() => checkPayload(ResearchRequest, request(OTHER_COST.quote))).toThrow(PayloadContentError);
  });
});
