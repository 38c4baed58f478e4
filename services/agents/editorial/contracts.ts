import { z } from "zod";
import { contract } from "#shared/contract";
import { criterion, manuscriptText, remark, storyAnalysis, title } from "./contract-fields.ts";
import { checkDesign, design } from "./designs.ts";
import { requirement } from "./requirements.ts";

const criteria = z.array(criterion).max(6);
const constraints = z.array(z.string().min(1).max(300)).max(20);
const brief = z.string().min(1).max(8000).meta({ "x-locked": true });

/** What a client submits: a story to be edited, or a project whose electronics are to be designed. */
export const EditorialAssignment = contract(
  "editorial.assignment@1",
  z.object({
    work: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("fiction"), title, text: manuscriptText, criteria: criteria.default([]) }),
      z.object({ kind: z.literal("project"), title, brief, constraints: constraints.default([]) }),
    ]),
  }),
  { description: "A story to be edited, or a project brief with electronics in it." },
);

/** A story to edit; its analysis is null until there is one. */
export const Manuscript = contract(
  "editorial.manuscript@1",
  z.object({ title, text: manuscriptText, criteria, analysis: storyAnalysis.nullable() }),
  { description: "A story with what its analysis found, once there is one." },
);

export const AnalysisRequest = contract(
  "editorial.analysis-request@1",
  z.object({ title, story_content: manuscriptText, analysis_criteria: criteria.min(1) }),
  {
    description: "A story to be analysed by the named criteria.",
    check: ({ analysis_criteria }) =>
      new Set(analysis_criteria).size < analysis_criteria.length
        ? [{ path: "/analysis_criteria", code: "named_twice", message: "each criterion is named once" }]
        : [],
  },
);

/** A question to the author of the brief. */
export const question = z.object({ about: z.string().min(1).max(80), question: remark });

const checkDesigns = ({ designs }: { readonly designs: readonly z.output<typeof design>[] }, at = "") =>
  designs.flatMap((one, index) => checkDesign(one, `${at}/designs/${index}`));

export const designReport = z.object({
  designs: z.array(design).max(12),
  questions: z.array(question).max(12),
});

/** A project to plan; its designs are null until there are some. */
export const Project = contract(
  "editorial.project@1",
  z.object({ title, brief, constraints, summary: remark.nullable(), report: designReport.nullable() }),
  {
    description: "A project brief with its component designs, once there are some.",
    check: ({ report }) => (report === null ? [] : checkDesigns(report, "/report")),
  },
);

export const ComponentDesign = contract(
  "editorial.component-design@1",
  z.object({
    title,
    project_requirements: z.array(requirement).min(1).max(12),
    constraints,
    /** Travels along, so that the planner need not read the brief again. */
    brief,
    summary: remark,
  }),
  {
    description: "Circuits to be designed, each with every quantity that its design depends on.",
    check: ({ project_requirements }) => {
      const ids = project_requirements.map(({ id }) => id);
      return new Set(ids).size < ids.length
        ? [
            {
              path: "/project_requirements",
              code: "named_twice",
              message: "each requirement has an id of its own",
            },
          ]
        : [];
    },
  },
);

export { checkDesigns };
