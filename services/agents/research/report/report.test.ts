import { describe, expect, test } from "vitest";
import { checkPayload, PayloadContentError } from "#shared/contract";
import { Brief, Found, ResearchRequest } from "../contracts.ts";
import type { Draft, Finding, Objection } from "../contract-fields.ts";
import { checkDraft, joinObjections } from "../editor/check-draft.ts";
import { reviewDraft } from "../rehearsal/editor.ts";
import { writeDraft } from "../rehearsal/writer.ts";
import { formatReport } from "./format-report.ts";

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
const SOUND: Draft = { title: "Barrier", claims: [DISPUTE, claim(GATES)], unanswered: ["q3"] };

/** Called as the rehearsal calls it: with the step's input, of which the type says nothing. */
const review = (draft: Draft): Objection[] => {
  const answer = reviewDraft(
    { goal: "g", questions: QUESTIONS, findings: FINDINGS, draft } as never,
    () => 0,
  );
  // What the stand-in answers is of the contract that the team's own tests hold it against.
  return (answer as { objections: Objection[] }).objections;
};
const write = (revision: { draft: Draft; objections: Objection[] } | null): Draft =>
  // As above.
  writeDraft({ goal: "g", questions: QUESTIONS, findings: FINDINGS, revision } as never, () => 0) as Draft;

describe("the editor's stand-in", () => {
  test("is content with a draft in which everything is borne, told and answered or open", () => {
    expect(review(SOUND)).toEqual([]);
  });

  test.each([
    ["a figure that its finding does not have", claim(GATES, "Each gate weighs 310 tonnes.")],
    [
      "something else than its finding says",
      claim(GATES, "Fishermen complain about long waiting at the harbour lock."),
    ],
  ])("objects to a claim with %s, by its number", (_what, bad) => {
    const objections = review({ ...SOUND, claims: [DISPUTE, bad] });
    expect(objections).toMatchObject([{ kind: "unsupported_claim", claim: 1, question_id: "q2" }]);
  });

  test.each([
    ["passed over", { claims: [DISPUTE, claim(GATES)], unanswered: [] }, "q3"],
    ["said to be open though there are findings", { claims: [DISPUTE], unanswered: ["q2", "q3"] }, "q2"],
  ])("objects to a question that is %s", (_what, draft, id) => {
    expect(review({ title: "Barrier", ...draft })).toMatchObject([
      { kind: "missing_question", question_id: id },
    ]);
  });

  test("objects to a contradiction of which no claim names both sides", () => {
    const objections = review({ ...SOUND, claims: [claim(COST), claim(GATES)] });
    expect(objections).toMatchObject([
      { kind: "contradiction_not_mentioned", question_id: "q1", finding_ids: ["q1f1", "q1f2"] },
    ]);
  });
});

describe("what is counted", () => {
  test("is objected to whatever the model says, and said once where both say it", () => {
    const draft = {
      title: "t",
      claims: [DISPUTE, claim(GATES, "Each gate weighs 310 tonnes.")],
      unanswered: [],
    };
    const counted = checkDraft({ questions: QUESTIONS, findings: FINDINGS, draft });
    expect(counted.map(({ kind }) => kind)).toEqual(["unsupported_claim", "missing_question"]);
    const [first] = counted;
    const said = first === undefined ? [] : [{ ...first, what: "The model's own words." }];
    expect(joinObjections(counted, said)).toHaveLength(2);
    expect(joinObjections(counted, [])).toHaveLength(2);
  });
});

describe("the writer's stand-in", () => {
  test("answers every objection, so that editor and writer come to an end", () => {
    let draft = write(null);
    expect(review(draft).map(({ kind }) => kind)).toContain("contradiction_not_mentioned");
    for (let round = 0; round < 2; round += 1) draft = write({ draft, objections: review(draft) });
    expect(review(draft)).toEqual([]);
    expect(draft.unanswered).toEqual(["q3"]);
  });

  test("corrects an unsupported claim, and answers or opens a question that was passed over", () => {
    const bad: Draft = {
      title: "t",
      claims: [DISPUTE, claim(GATES, "Each gate weighs 310 tonnes.")],
      unanswered: [],
    };
    const draft = write({ draft: bad, objections: review(bad) });
    expect(draft.claims.map(({ text }) => text)).toContain(GATES.quote);
    expect(review(draft)).toEqual([]);
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
    const bad = { ...SOUND, claims: [claim(COST), claim(GATES)] };
    const spent = formatReport(brief, { draft: bad, round: 3, objections: review(bad) });
    expect(spent.open[0]).toMatch(/^contradiction not mentioned: Publisher/);
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
    round: 1,
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
