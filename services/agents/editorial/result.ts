import { z } from "zod";
import { contract } from "#shared/contract";
import { contentFinding } from "./content-analysis/agent.ts";
import { storyFinding, designReport } from "./contracts.ts";
import { EDIT_KINDS } from "./fiction-editing/agent.ts";
import { OTHER_WORK } from "./keep-quoted.ts";

/** Has no pattern and no bound: sensitive data in it is replaced by `[card]` and the like before the check. */
const text = z.string();
const questions = z.array(z.object({ about: text, question: text }));

/** Parts of the request that were not done; with some, also the team's abilities. */
const notDone = {
  not_done: z.array(z.object({ kind: z.enum(OTHER_WORK), words: text })),
  can_do: z.array(text),
};

const edited = z.object({
  status: z.literal("edited"),
  title: text,
  findings: z.array(storyFinding.extend({ finding: text, quote: text })),
  line_edits: z.array(
    z.object({ kind: z.enum(EDIT_KINDS), quote: text, paragraph: z.int().positive(), suggestion: text }),
  ),
  editorial_letter: text,
  /** Findings and edits left out because their words do not stand in the text. */
  unsupported: z.int().nonnegative(),
  ...notDone,
});

const designed = z.object({
  status: z.enum(["designed", "needs_answers"]),
  title: text,
  summary: text.nullable(),
  designs: designReport.shape.designs,
  questions,
  /** The constraints: the model was shown them, no code checks words, and a person has to look. */
  unchecked_constraints: z.array(text),
  ...notDone,
});

const notDesigned = z.object({
  status: z.enum(["needs_answers", "no_electronics", "cannot_do"]),
  title: text,
  summary: text,
  designs: z.array(designReport.shape.designs.element).max(0),
  questions,
  ...notDone,
});

const notEdited = z.object({
  status: z.enum(["needs_answers", "cannot_do"]),
  title: text,
  questions,
  ...notDone,
});

const analysed = z.object({
  status: z.literal("analysed"),
  title: text,
  analysis_type: text,
  findings: z.array(contentFinding.extend({ criterion: text, finding: text, quote: text })),
  /** Findings left out because their words do not stand in the content. */
  unsupported: z.int().nonnegative(),
  /** Criteria without a finding. */
  not_judged: z.array(text),
});

export const EditorialResult = contract(
  "editorial.result@2",
  z.union([edited, designed, notDesigned, notEdited, analysed]),
  {
    description: "An edited story, a designed project, an evaluated content, or what has to be asked first.",
  },
);
