import type { StandIn } from "#shared/runtime";
import type { Criterion } from "../contract-fields.ts";
import { measureStory } from "../reading/measure-story.ts";
import { findLineEdits } from "./find-line-edits.ts";
import type { EditInput, WishInput } from "../fiction-editing/answer.ts";

const LONG_STORY_WORDS = 250;

/** Chooses the criteria by what the story has: speech, people, length. */
export const chooseCriteria: StandIn = ({ text, asked_for: asked }: WishInput) => {
  if (asked.length > 0) return { criteria: [...new Set(asked)], because: "The author asked for these." };
  const { words, dialogue_share: dialogue, names, scenes } = measureStory(text);
  const criteria: Criterion[] = ["point_of_view", "tense"];
  if (dialogue > 0.05) criteria.push("dialogue");
  if (names.length > 0) criteria.push("characters");
  if (words >= LONG_STORY_WORDS) criteria.push("pacing");
  if (words >= LONG_STORY_WORDS || scenes > 1) criteria.push("structure");
  return {
    criteria,
    because: `The story has ${words} words, ${names.length} people by name and ${scenes} scenes.`,
  };
};

/** Edits line by line, and sums up what the analysis found. */
export const editStory: StandIn = ({ title, text, measures, findings }: EditInput) => {
  const edits = findLineEdits(text);
  const kinds = Map.groupBy(edits, ({ kind }) => kind);
  const counts = [...kinds].map(([kind, list]) => `${list.length} of ${kind.replaceAll("_", " ")}`);
  const first = findings[0];
  const lines = [
    `"${title}" has ${measures.words} words in ${measures.sentences} sentences, ${measures.words_per_sentence} words each.`,
    findings.length === 0
      ? "The analysis found nothing to object to."
      : `The analysis found ${findings.length} things.`,
    ...(first === undefined ? [] : [`Begin with this: ${first.finding}`]),
    counts.length === 0 ? "No line needs a hand." : `Single lines: ${counts.join(", ")}.`,
  ];
  return { line_edits: edits, editorial_letter: lines.join("\n") };
};
