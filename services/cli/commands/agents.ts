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
      live: z.array(
        z.looseObject({
          pid: z.number(),
          waits_for_model: z.looseObject({ model: z.string(), reason: z.string() }).nullish(),
        }),
      ),
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
          ["waits for", ({ live }) => describeWait(live)],
          ["accepts", (agent) => agent.accepts],
          ["hands to", (agent) => agent.hands_to.join(" ")],
        ],
        empty: "No agents.",
      },
      options,
    );
  });
}

/** The model whose circuit is open, and why. */
function describeWait(live: z.output<typeof agentsSchema>["agents"][number]["live"]): string {
  const waits = live.flatMap(({ waits_for_model: one }) => (one === null || one === undefined ? [] : [one]));
  return [...new Set(waits.map(({ model, reason }) => `${model} (${reason})`))].join(", ");
}
