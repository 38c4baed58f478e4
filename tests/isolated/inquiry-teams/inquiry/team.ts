import { fileURLToPath } from "node:url";
import { agent, team } from "#shared/runtime";
import { Brief, Commission } from "../../../../services/agents/research/contracts.ts";
import { createInvestigation } from "../../../../services/agents/research/investigation/create.ts";
import { createFolderLibrary } from "../../../../services/agents/research/outside/folder-library.ts";
import { createResearcher } from "../../../../services/agents/research/researcher/agent.ts";

const SOURCES = fileURLToPath(
  new URL("../../../../services/agents/research/samples/sources", import.meta.url),
);

const desk = { library: createFolderLibrary(() => SOURCES) };

const investigation = createInvestigation({});

/** What of the research team works without boards: its investigation, between a desk and a report that only tell. */
export default team(
  "inquiry",
  [
    agent("desk@1", {
      outside: true,
      accepts: Commission,
      to: { investigation: Commission },
      handle: (commission, ctx) => ctx.handoff("investigation", commission),
    }),
    ...investigation.agents,
    createResearcher(desk),
    agent("report@1", { accepts: Brief, handle: (brief, ctx) => ctx.complete(brief) }),
  ],
  { loops: [...investigation.loops, "investigation-review>researcher"], hopsMax: 20 },
);
