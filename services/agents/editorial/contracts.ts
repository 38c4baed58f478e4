import { z } from "zod";
import { checkPayload, contract } from "#shared/contract";
import { criterion, manuscriptText, remark, storyAnalysis, title } from "./contract-fields.ts";
import { checkDesign, design } from "./designs.ts";
import { notDoneList, projectNotDoneList } from "./other-work.ts";
import { requirement } from "./requirements.ts";

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

/** A content to be evaluated by criteria that its sender gives. */
export const ContentRequest = contract("editorial.content-request@1", contentRequest, {
  description: "A content to be evaluated by the criteria of its sender.",
});

/** Task of a client: a story to be edited, a project whose electronics are to be designed, a content to evaluate. */
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

/** The first form of each message did not carry what of the request is not done. */
const manuscriptV1 = z.object({ title, text: manuscriptText, criteria, analysis: storyAnalysis.nullable() });

const ManuscriptV1 = contract("editorial.manuscript@1", manuscriptV1, {
  description: "A story with its analysis (older form).",
});

/** A story to edit; its analysis is null until there is one. */
export const Manuscript = contract("editorial.manuscript@2", manuscriptV1.extend({ not_done: notDoneList }), {
  description: "A story with what its analysis found, once there is one.",
  upcast: (previous) => ({ ...checkPayload(ManuscriptV1, previous), not_done: [] }),
});

const analysisRequestV1 = z.object({
  title,
  story_content: manuscriptText,
  analysis_criteria: criteria.min(1),
});

const checkCriteria = ({ analysis_criteria: asked }: z.output<typeof analysisRequestV1>) =>
  new Set(asked).size < asked.length
    ? [{ path: "/analysis_criteria", code: "named_twice", message: "each criterion is named once" }]
    : [];

const AnalysisRequestV1 = contract("editorial.analysis-request@1", analysisRequestV1, {
  description: "A story to be analysed (older form).",
  check: checkCriteria,
});

export const AnalysisRequest = contract(
  "editorial.analysis-request@2",
  analysisRequestV1.extend({ not_done: notDoneList }),
  {
    description: "A story to be analysed by the named criteria.",
    check: checkCriteria,
    upcast: (previous) => ({ ...checkPayload(AnalysisRequestV1, previous), not_done: [] }),
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

const projectV1 = z.object({
  title,
  brief,
  constraints,
  summary: remark.nullable(),
  report: designReport.nullable(),
});

const checkReport = ({ report }: z.output<typeof projectV1>) =>
  report === null ? [] : checkDesigns(report, "/report");

const ProjectV1 = contract("editorial.project@1", projectV1, {
  description: "A project brief with its component designs (older form).",
  check: checkReport,
});

/** The second form knew no stated capacitor and no words without a place; a requirement without the former has none. */
const ProjectV2 = contract("editorial.project@2", projectV1.extend({ not_done: notDoneList }), {
  description: "A project brief with its component designs (older form).",
  check: checkReport,
  upcast: (previous) => ({ ...checkPayload(ProjectV1, previous), not_done: [] }),
});

/** A project to plan; its designs are null until there are some. */
export const Project = contract("editorial.project@3", projectV1.extend({ not_done: projectNotDoneList }), {
  description: "A project brief with its component designs, once there are some.",
  check: checkReport,
  previous: ProjectV2,
  upcast: (previous) => checkPayload(ProjectV2, previous),
});

const componentDesignV1 = z.object({
  title,
  project_requirements: z.array(requirement).min(1).max(12),
  constraints,
  /** Travels along, so that the planner need not read the brief again. */
  brief,
  summary: remark,
});

const checkIds = ({ project_requirements: asked }: z.output<typeof componentDesignV1>) =>
  new Set(asked.map(({ id }) => id)).size < asked.length
    ? [
        {
          path: "/project_requirements",
          code: "named_twice",
          message: "each requirement has an id of its own",
        },
      ]
    : [];

const ComponentDesignV1 = contract("editorial.component-design@1", componentDesignV1, {
  description: "Circuits to be designed (older form).",
  check: checkIds,
});

const ComponentDesignV2 = contract(
  "editorial.component-design@2",
  componentDesignV1.extend({ not_done: notDoneList }),
  {
    description: "Circuits to be designed (older form).",
    check: checkIds,
    upcast: (previous) => ({ ...checkPayload(ComponentDesignV1, previous), not_done: [] }),
  },
);

export const ComponentDesign = contract(
  "editorial.component-design@3",
  componentDesignV1.extend({ not_done: projectNotDoneList }),
  {
    description: "Circuits to be designed, each with every quantity that its design depends on.",
    check: checkIds,
    previous: ComponentDesignV2,
    upcast: (previous) => checkPayload(ComponentDesignV2, previous),
  },
);

export { checkDesigns };
