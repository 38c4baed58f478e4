import { team } from "#shared/runtime";
import { chat } from "./chat/agent.ts";
import type { ResearchSetup } from "./setup.ts";
import { createEditor } from "./editor/agent.ts";
import { createFrontDesk } from "./front-desk/agent.ts";
import { createInvestigation } from "./investigation/create.ts";
import { reference } from "./reference/agent.ts";
import { createReport } from "./report/create.ts";
import { createResearch } from "./research/agent.ts";
import { createResearcher } from "./researcher/agent.ts";
import { createWriter } from "./writer/agent.ts";
import { ResearchResult } from "./result.ts";

/** Hops up to the report, and one to spare for a message that passes the ward. */
const HOPS_BEFORE = 7;

/** The research team over a library. */
export function createResearchTeam(setup: ResearchSetup) {
  const investigation = createInvestigation(setup);
  const report = createReport();
  return team(
    "research",
    [
      createFrontDesk(setup),
      chat,
      reference,
      createResearch(setup),
      ...investigation.agents,
      createResearcher(setup),
      ...report.agents,
      createWriter(report),
      createEditor(report),
    ],
    {
      description: "Answers in conversations, from sources, and writes reports with citations.",
      handoffTypes: {
        "front-desk>chat": ["message"],
        "front-desk>reference": ["document"],
        "front-desk>research": ["continued_conversation"],
        "chat>research": ["quick_lookup"],
        "reference>research": ["research_delegation"],
        "research>investigation": ["investigation"],
      },
      loops: [...investigation.loops, "investigation-review>researcher", ...report.loops],
      hopsMax: HOPS_BEFORE + report.hopsMax,
      result: ResearchResult,
      cannotTell: { "/status": ["not_found", "open_points"] },
      redacts: ["card", "iban", "secret"],
    },
  );
}
