import { z } from "zod";

export const title = z.string().min(1).max(200);

/** A text that people wrote, short enough for one message. */
export const manuscriptText = z.string().min(1).max(15_000).meta({ "x-locked": true });

export const remark = z.string().min(1).max(1000).meta({ "x-surgeon-writes": true });

/** The maximum length of a quotation. */
export const QUOTE_CHARACTERS_MAX = 400;

/** Words of a text, verbatim: the evidence for what is said about it. */
export const quote = z.string().min(2).max(QUOTE_CHARACTERS_MAX).meta({ "x-locked": true });

export const CRITERIA = ["pacing", "dialogue", "point_of_view", "tense", "characters", "structure"] as const;

export const criterion = z.enum(CRITERIA).meta({
  "x-synonyms": {
    point_of_view: ["pov", "perspective", "narrator"],
    characters: ["cast", "people", "character"],
    structure: ["scenes", "plot", "arc"],
    pacing: ["pace", "rhythm", "tempo"],
  },
});

/** Something that an analysis found, with its evidence. */
export const storyFinding = z.object({
  criterion,
  finding: remark,
  quote,
  /** From 1. */
  paragraph: z.int().positive(),
});

/** Result of story analysis. */
export const storyAnalysis = z.object({
  findings: z.array(storyFinding).max(20),
  /** Findings left out because their words do not stand in the text. */
  unsupported: z.int().nonnegative(),
});
