import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkPayload } from "#shared/contract";
import { CRITERIA, storyMeasures } from "../contract-fields.ts";
import { EditAnswer } from "../fiction-editing/answer.ts";
import { editStory } from "../rehearsal/fiction-editing.ts";
import { AnalysisAnswer } from "../story-analysis/answer.ts";
import { analyseStory } from "../rehearsal/story-analysis.ts";
import { keepQuoted } from "./keep-quoted.ts";
import { measureStory } from "./measure-story.ts";
import { readSentences } from "./paragraphs.ts";

const TEXT = `"Stop," said Anna. She saw Paul at the door. Dr. Weiss waited.

* * *

The door was opened by Paul. Then Paul and Anna went home, and the door was shut.`;

const analyse = (story: string) =>
  analyseStory(
    { title: "T", story_content: story, analysis_criteria: CRITERIA, measures: measureStory(story) } as never,
    () => 0,
  );
const edit = (text: string) =>
  editStory({ title: "T", text, measures: measureStory(text), findings: [] } as never, () => 0);

describe("a story", () => {
  test("is measured by what is there", () => {
    expect(measureStory(TEXT)).toMatchObject({
      paragraphs: 3,
      scenes: 2,
      sentences: 5,
      first_person_share: 0,
      past_tense_share: 1,
    });
    expect(measureStory(TEXT).names.map(({ name, count }) => `${name} ${count}`)).toEqual([
      "Paul 3",
      "Anna 2",
    ]);
  });

  test("is parted into sentences, not at titles and not inside quotations", () => {
    expect(readSentences('Dr. Weiss said "No." He left. 3.5 is a number!')).toEqual([
      'Dr. Weiss said "No."',
      "He left.",
      "3.5 is a number!",
    ]);
  });

  test("is spoken of with its own words alone, whatever it is", () => {
    const piece = fc.constantFrom(
      "She saw the door. ",
      '"Go," he said softly. ',
      "I was very tired. ",
      "Anna ",
      "the weather ",
      "suddenly ",
      "\n\n",
      "* * *",
      "? ",
      `it was very ${"a".repeat(500)} `,
      `then ${"ñ".repeat(1200)} `,
      `then Ñ${"ñ".repeat(70)} `,
      "\u{1F600}".repeat(100),
      "x\u{1F600}".repeat(100),
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ maxLength: 20 })), { minLength: 1, maxLength: 40 }),
        (pieces) => {
          const text = pieces.join("");
          storyMeasures.parse(measureStory(text));
          const { findings } = checkPayload(AnalysisAnswer, analyse(text));
          const { line_edits } = checkPayload(EditAnswer, edit(text));
          const remarks = [...findings, ...line_edits];
          expect(remarks.filter((remark) => !remark.quote.isWellFormed())).toEqual([]);
          expect(keepQuoted(remarks, text).unsupported).toBe(0);
        },
      ),
      {
        numRuns: 200,
        examples: [
          [["suddenly ", "!".repeat(20), "suddenly !"]],
          [["suddenly ", "!".repeat(20), "{suddenly She saw the door."]],
        ],
      },
    );
  });

  test("keeps no remark about words that it does not hold, and puts right a paragraph that was counted wrongly", () => {
    const remarks = [
      { quote: "opened by Paul", paragraph: 1 },
      { quote: "opened by Peter", paragraph: 3 },
    ];
    expect(keepQuoted(remarks, TEXT)).toEqual({
      kept: [{ quote: "opened by Paul", paragraph: 3 }],
      unsupported: 1,
    });
  });

  test("has its weak lines found", () => {
    const kinds = checkPayload(EditAnswer, edit(TEXT)).line_edits.map(
      ({ kind, paragraph }) => `${kind} ${paragraph}`,
    );
    expect(kinds).toContain("filter_word 1");
    expect(kinds).toContain("passive 3");
  });
});
