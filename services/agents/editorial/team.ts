import { team } from "#shared/runtime";
import { editorialDesk } from "./desk/agent.ts";
import { electronics } from "./electronics/agent.ts";
import { fictionEditing } from "./fiction-editing/agent.ts";
import { generalProject } from "./general-project/agent.ts";
import { storyAnalysis } from "./story-analysis/agent.ts";
import { EditorialResult } from "./result.ts";

/**
 * Two desks that delegate and go on with what comes back: each back edge is taken once, since what came back is
 * not sent again.
 */
export default team(
  "editorial",
  [editorialDesk, fictionEditing, storyAnalysis, generalProject, electronics],
  {
    description: "Edits stories with an analysis, and plans projects with component designs.",
    result: EditorialResult,
    cannotTell: { "/status": ["needs_answers"] },
    redacts: ["card", "iban", "secret"],
    handoffTypes: {
      "fiction-editing>story-analysis": ["analysis_request"],
      "story-analysis>fiction-editing": ["analysis_result"],
      "general-project>electronics": ["component_design"],
      "electronics>general-project": ["component_design_result"],
    },
    loops: ["story-analysis>fiction-editing", "electronics>general-project"],
  },
);
