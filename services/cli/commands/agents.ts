import type { Command } from "commander";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printListing } from "../print/print-answer.ts";

/** A process of an agent, as far as it waits. */
interface Waiting {
  readonly waits_for_model: { readonly model: string; readonly reason: string } | null;
}

export function addAgents(program: Command): void {
  withConnection(
    program.command("agents").description("list agents and the processes that work for them"),
    "gateway",
  ).action(async (options: Connection) => {
    const answer = await answerOf(openClient(findApi("gateway", options)).GET("/v1/agents"));
    printListing(
      {
        answer,
        rows: answer.agents,
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
function describeWait(live: readonly Waiting[]): string {
  const waits = live.flatMap(({ waits_for_model: one }) => (one === null ? [] : [one]));
  return [...new Set(waits.map(({ model, reason }) => `${model} (${reason})`))].join(", ");
}
