import { team } from "#shared/runtime";
import { contentAnalysis } from "./content-analysis/agent.ts";
import { editorialDesk } from "./desk/agent.ts";
import { electronics } from "./electronics/agent.ts";
import { fictionEditing } from "./fiction-editing/agent.ts";
import { generalProject } from "./general-project/agent.ts";
import { storyAnalysis } from "./story-analysis/agent.ts";
import { EditorialResult } from "./result.ts";

/**
 * Two desks that delegate and go on with what comes back: each back edge is taken once, since what came back is
 * not sent again. A third evaluates contents.
 */
export default team(
  "editorial",
  [editorialDesk, fictionEditing, storyAnalysis, generalProject, electronics, contentAnalysis],
  {
    description:
      "Edits stories with an analysis, plans projects with component designs, and evaluates contents by criteria.",
    result: EditorialResult,
    cannotTell: { "/status": ["needs_answers"] },
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
