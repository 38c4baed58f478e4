import { agent } from "#shared/runtime";
import { ContentRequest, EditorialAssignment, Manuscript, Project } from "../contracts.ts";

const to = { "fiction-editing": Manuscript, "general-project": Project, "content-analysis": ContentRequest };

/** Routes an assignment by its kind, which the client states, so that no model is asked. */
export const editorialDesk = agent("editorial-desk@1", {
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
