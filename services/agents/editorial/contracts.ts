import { z } from "zod";
import { checkDistinct, contract } from "#shared/contract";
import { checkDesign, design, requirement } from "./designs.ts";
import { notDoneList } from "./keep-quoted.ts";

const title = z.string().min(1).max(200);

/** A text that people wrote, short enough for one message. */
const manuscriptText = z.string().min(1).max(15_000).meta({ "x-locked": true });

export const remark = z.string().min(1).max(1000).meta({ "x-surgeon-writes": true });

const QUOTE_CHARACTERS_MAX = 400;

/** Words of a text, verbatim: the evidence for what is said about it. */
export const quote = z.string().min(2).max(QUOTE_CHARACTERS_MAX).meta({ "x-locked": true });

const CRITERIA = ["pacing", "dialogue", "point_of_view", "tense", "characters", "structure"] as const;

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

const storyAnalysis = z.object({
  findings: z.array(storyFinding).max(20),
  /** Findings left out because their words do not stand in the text. */
  unsupported: z.int().nonnegative(),
});

const criteria = z.array(criterion).max(6);
const constraints = z.array(z.string().min(1).max(300)).max(20);
const brief = z.string().min(1).max(8000).meta({ "x-locked": true });

const contentRequest = z.object({
  title,
  content_to_analyze: manuscriptText,
  /** The point of view, e.g. `readability` or `legal risk`. */
  analysis_type: z.string().min(1).max(80),
  criteria: z.array(z.string().min(1).max(300)).min(1).max(12),
});

export const ContentRequest = contract("editorial.content-request@1", contentRequest, {
  description: "A content to be evaluated by the criteria of its sender.",
});

export const EditorialAssignment = contract(
  "editorial.assignment@1",
  z.object({
    work: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("fiction"), title, text: manuscriptText, criteria: criteria.default([]) }),
      z.object({ kind: z.literal("project"), title, brief, constraints: constraints.default([]) }),
      contentRequest.extend({ kind: z.literal("content") }),
    ]),
  }),
  {
    description:
      "A story to be edited, a project brief with electronics in it, or a content to be evaluated.",
  },
);

export const Manuscript = contract(
  "editorial.manuscript@3",
  z.object({
    title,
    text: manuscriptText,
    criteria,
    analysis: storyAnalysis.nullable(),
    not_done: notDoneList.default([]),
  }),
  { description: "A story with what its analysis found, once there is one." },
);

const analysisRequest = z.object({
  title,
  story_content: manuscriptText,
  analysis_criteria: criteria.min(1),
  not_done: notDoneList.default([]),
});

export const AnalysisRequest = contract("editorial.analysis-request@2", analysisRequest, {
  description: "A story to be analysed by the named criteria.",
  check: ({ analysis_criteria: asked }) => checkDistinct(asked, "/analysis_criteria"),
});

/** A question to the author of the brief. */
export const question = z.object({ about: z.string().min(1).max(80), question: remark });

export const checkDesigns = (
  { designs }: { readonly designs: readonly z.output<typeof design>[] },
  at = "",
) => designs.flatMap((one, index) => checkDesign(one, `${at}/designs/${index}`));

export const designReport = z.object({
  designs: z.array(design).max(12),
  questions: z.array(question).max(12),
});

export const Project = contract(
  "editorial.project@4",
  z.object({
    title,
    brief,
    constraints,
    summary: remark.nullable(),
    report: designReport.nullable(),
    not_done: notDoneList.default([]),
  }),
  {
    description: "A project brief with its component designs, once there are some.",
    check: ({ report }) => (report === null ? [] : checkDesigns(report, "/report")),
  },
);

const componentDesign = z.object({
  title,
  project_requirements: z.array(requirement).min(1).max(12),
  constraints,
  /** Travels along, so that the planner need not read the brief again. */
  brief,
  summary: remark,
  not_done: notDoneList.default([]),
});

export const ComponentDesign = contract("editorial.component-design@4", componentDesign, {
  description: "Circuits to be designed, each with every quantity that its design depends on.",
  check: ({ project_requirements: asked }) =>
    checkDistinct(
      asked.map(({ id }) => id),
      "/project_requirements",
    ),
});
