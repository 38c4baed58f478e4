import type { Command } from "commander";
import { answerOf, openClient } from "../http/call-api.ts";
import type { JsonOf } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printListing } from "../print/print-answer.ts";

export function addQueues(program: Command): void {
  const queues = program.command("queues").description("look at queues, pause and resume agents");
  withConnection(
    queues.command("ls").alias("list").description("list queues with what waits in them"),
    "console",
  ).action(async (options: Connection) =>
    print(await answerOf(openClient(findApi("console", options)).GET("/v1/queues")), options),
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
      const body = options.why === undefined ? {} : { why: options.why };
      const request = { params: { path: { agent } }, body };
      print(
        await answerOf(openClient(findApi("console", options)).POST(`/v1/queues/{agent}/${kind}`, request)),
        options,
      );
    },
  );
}

function print(answer: JsonOf<"listQueues">, options: Connection): void {
  printListing(
    {
      answer,
      rows: answer.queues,
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
