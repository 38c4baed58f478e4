import type { Command } from "commander";
import { z } from "zod";
import { callApi } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printListing } from "../print/print-answer.ts";

const agentsSchema = z.looseObject({
  agents: z.array(
    z.looseObject({
      id: z.string(),
      team: z.string(),
      accepts: z.string(),
      hands_to: z.array(z.string()),
      description: z.string(),
      live: z.array(z.looseObject({ pid: z.number() })),
    }),
  ),
});

export function addAgents(program: Command): void {
  withConnection(
    program.command("agents").description("list agents and the processes that work for them"),
    "gateway",
  ).action(async (options: Connection) => {
    const answer = await callApi(findApi("gateway", options), { path: "/v1/agents" });
    printListing(
      {
        answer,
        rows: agentsSchema.parse(answer).agents,
        columns: [
          ["agent", (agent) => agent.id],
          ["team", (agent) => agent.team],
          ["processes", (agent) => agent.live.map(({ pid }) => pid).join(" ") || "none"],
          ["accepts", (agent) => agent.accepts],
          ["hands to", (agent) => agent.hands_to.join(" ")],
        ],
        empty: "No agents.",
      },
      options,
    );
  });
}
