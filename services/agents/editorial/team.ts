import { agent, team } from "#shared/runtime";
import { ContentRequest, EditorialAssignment, Manuscript, Project } from "./contracts.ts";
import { contentAnalysis } from "./content-analysis/agent.ts";
import { electronics } from "./electronics/agent.ts";
import { fictionEditing } from "./fiction-editing/agent.ts";
import { generalProject } from "./general-project/agent.ts";
import { storyAnalysis } from "./story-analysis/agent.ts";
import { EditorialResult } from "./result.ts";

const to = { "fiction-editing": Manuscript, "general-project": Project, "content-analysis": ContentRequest };

/** Routes an assignment by its kind, which the client states, so that no model is asked. */
const editorialDesk = agent("editorial-desk@1", {
  accepts: EditorialAssignment,
  guard: {
    mayCause: [],
    untrusted: { payload: { "/work": "author" } },
    injection: { reaction: "flag" },
  },
  to,
  description: "Puts stories, projects and contents on the right desk.",
  capabilities: ["routing"],
  handle: ({ work }, ctx) => {
    if (work.kind === "fiction") {
      const { title, text, criteria } = work;
      return ctx.handoff(
        "fiction-editing",
        { title, text, criteria, analysis: null, not_done: [] },
        { reason: "a story" },
      );
    }
    if (work.kind === "content") {
      const { kind: _, ...request } = work;
      const asked = { handoffType: "analysis_delegation", expectedOutput: "findings by criterion" };
      return ctx.handoff("content-analysis", request, { ...asked, reason: request.analysis_type });
    }
    const { title, brief, constraints } = work;
    const project = { title, brief, constraints, summary: null, report: null, not_done: [] };
    return ctx.handoff("general-project", project, { reason: "a project" });
  },
});

/** Two desks that delegate and take back, each back edge once; a third evaluates contents. */
export default team(
  "editorial",
  [editorialDesk, fictionEditing, storyAnalysis, generalProject, electronics, contentAnalysis],
  {
    description:
      "Edits stories with an analysis, plans projects with component designs, and evaluates contents by criteria.",
    result: EditorialResult,
    redacts: ["card", "iban", "secret"],
    handoffTypes: {
      "editorial-desk>content-analysis": ["analysis_delegation"],
      "fiction-editing>story-analysis": ["analysis_request"],
      "story-analysis>fiction-editing": ["analysis_result"],
      "general-project>electronics": ["component_design"],
      "electronics>general-project": ["component_design_result"],
    },
    loops: ["story-analysis>fiction-editing", "electronics>general-project"],
  },
);
