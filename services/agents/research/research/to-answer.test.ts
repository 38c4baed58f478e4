import { describe, expect, test } from "vitest";
import type { LookedUp } from "./answer.ts";
import { toAnswer } from "./to-answer.ts";

const passage = (source_id: string, text: string) => ({
  passage_id: `${source_id}#1`,
  source_id,
  title: "The barrier",
  publisher: `Publisher ${source_id}`,
  published: "2023",
  text,
});
const COUNCIL = passage("council", "The barrier cost 41.2 million euros to build.");
const AUDIT = passage("audit", "The barrier cost 47.9 million euros to build.");

const asked = (
  question_id: string,
  question = "What did the barrier cost to build?",
  passages = [COUNCIL],
) => ({
  question_id,
  question,
  passages,
});
const found = (question_id: string, more: Partial<LookedUp> = {}): LookedUp => ({
  question_id,
  sentences: [{ statement: "It cost 41.2 million euros.", quote: COUNCIL.text, passage_id: "council#1" }],
  missing: "",
  denied: null,
  ...more,
});

describe("an answer to several questions", () => {
  test("is answered only where every part is", () => {
    const nothing = { sentences: [] };
    const statuses = (...parts: LookedUp[]) => {
      const { status, parts: settled } = toAnswer(
        parts.map(({ question_id: id }) => asked(id)),
        parts,
      );
      return [status, ...settled.map((part) => part.status)];
    };
    expect(statuses(found("q1"), found("q2"))).toEqual(["answered", "answered", "answered"]);
    expect(statuses(found("q1"), found("q2", nothing))).toEqual(["open_points", "answered", "open"]);
    expect(statuses(found("q1", nothing), found("q2", nothing))).toEqual(["not_found", "open", "open"]);
  });

  test("leaves open what the model did not answer, and what it says is missing", () => {
    const { status, parts, open, answer } = toAnswer(
      [asked("q1"), asked("q2", "Who built it?")],
      [found("q1", { missing: "what it costs a year" })],
    );
    expect(status).toBe("open_points");
    expect(parts.map((part) => part.status)).toEqual(["open", "open"]);
    expect(open).toEqual([
      "not answered by the sources: what it costs a year",
      "not answered by the sources: Who built it?",
    ]);
    expect(answer).toContain("Open: what it costs a year");
  });

  test("tells of another source's figure that the model leaves out", () => {
    const { answer, parts, citations } = toAnswer([asked("q1", undefined, [COUNCIL, AUDIT])], [found("q1")]);
    expect(parts[0]).toMatchObject({ status: "answered", sources_disagree: true });
    expect(answer).toContain("Publisher audit, however: The barrier cost 47.9 million euros to build. [2]");
    expect(citations.map(({ source_id: id }) => id)).toEqual(["council", "audit"]);
  });

  test("says that the question takes something false for granted, though the model does not", () => {
    const question = "Why did the barrier cost 12 million euros to build?";
    const { status, parts, answer } = toAnswer([asked("q1", question)], [found("q1")]);
    expect([status, parts[0]?.status]).toEqual(["open_points", "contradicted"]);
    expect(answer).toMatch(
      /^You say "12 million euros"; Publisher council says "41\.2 million euros"\. \[1\]/,
    );
  });
});
