import { processConfig } from "#shared/config";
import { team } from "#shared/runtime";
import { supervisor } from "#shared/patterns";
import { createFolderLibrary } from "./outside/folder-library.ts";
import { createHttpLibrary } from "./outside/http-library.ts";
import type { Library, ResearchSetup } from "./outside/library.ts";
import { chat } from "./chat/agent.ts";
import { createEditor } from "./editor/agent.ts";
import { createFrontDesk } from "./front-desk/agent.ts";
import { reference } from "./reference/agent.ts";
import { createReport } from "./report/report.ts";
import { createResearch } from "./research/agent.ts";
import { createResearcher } from "./researcher/agent.ts";
import { createWriter } from "./writer/agent.ts";
import { ResearchResult } from "./result.ts";
import { Brief, Commission, Found, Topic } from "./contracts.ts";
import { writeBrief } from "./investigation/write-brief.ts";

/** Until a researcher that has not come back counts as failed, in ms. */
const ROUND_MS_DEFAULT = 90_000;

/** Has every question looked up by a researcher of its own, all at once; hands what there is on, failures included. */
function createInvestigation({ roundMs = ROUND_MS_DEFAULT }: Pick<ResearchSetup, "roundMs">) {
  return supervisor("investigation", {
    accepts: Commission,
    workers: { researcher: Topic },
    collects: Found,
    handsOnTo: { report: Brief },
    roundsMax: 1,
    roundMs,
    decide: (state) =>
      Promise.resolve(
        state.round === 0
          ? {
              delegate: state.goal.questions.map((question) => ({
                worker: "researcher",
                payload: { question },
              })),
            }
          : { handOn: { to: "report", payload: writeBrief(state) } },
      ),
  });
}

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
      redacts: ["card", "iban", "secret"],
    },
  );
}

/** Opens the configured sources, service before folder. The configuration is read at the first search. */
function openLibrary(): Library {
  let opened: Library | undefined;
  return {
    search: (wanted, signal) => {
      const { sourcesDir, sourcesUrl, sourcesKey } = processConfig();
      opened ??=
        sourcesUrl === null
          ? createFolderLibrary(() => sourcesDir)
          : createHttpLibrary({ baseUrl: sourcesUrl, key: sourcesKey });
      return opened.search(wanted, signal);
    },
  };
}

export default createResearchTeam({ library: openLibrary() });
