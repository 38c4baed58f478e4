import type { Command } from "commander";
import { z } from "zod";
import { callApi } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printListing } from "../print/print-answer.ts";

const queuesSchema = z.looseObject({
  queues: z.array(
    z.looseObject({
      agent: z.string(),
      lane: z.string(),
      waiting: z.number(),
      active: z.number(),
      delayed: z.number(),
      failed: z.number(),
      is_paused: z.boolean(),
      damage: z.string().nullable().default(null),
    }),
  ),
});

export function addQueues(program: Command): void {
  const queues = program.command("queues").description("look at queues, pause and resume agents");
  withConnection(queues.command("ls").description("list queues with what waits in them"), "console").action(
    async (options: Connection) =>
      print(await callApi(findApi("console", options), { path: "/api/v1/queues" }), options),
  );
  addSwitch(queues, "pause", "stop giving out messages to an agent; what is in hand ends");
  addSwitch(queues, "resume", "give out messages to an agent again");
}

function addSwitch(queues: Command, kind: "pause" | "resume", description: string): void {
  const command = queues
    .command(`${kind} <agent>`)
    .description(description)
    .option("--why <reason>", "for whoever reads the audit");
  withConnection(command, "console").action(
    async (agent: string, options: Connection & { readonly why?: string }) => {
      const path = `/api/v1/queues/${encodeURIComponent(agent)}/${kind}`;
      const body = options.why === undefined ? {} : { why: options.why };
      print(await callApi(findApi("console", options), { method: "POST", path, body }), options);
    },
  );
}

function print(answer: unknown, options: Connection): void {
  printListing(
    {
      answer,
      rows: queuesSchema.parse(answer).queues,
      columns: [
        ["agent", (queue) => queue.agent],
        ["lane", (queue) => queue.lane],
        ["waiting", (queue) => queue.waiting],
        ["active", (queue) => queue.active],
        ["delayed", (queue) => queue.delayed],
        ["failed", (queue) => queue.failed],
        ["paused", (queue) => (queue.is_paused ? "paused" : "")],
        ["damage", (queue) => queue.damage ?? ""],
      ],
      empty: "No queues.",
    },
    options,
  );
}
