import type { Command } from "commander";
import { z } from "zod";
import { callApi } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printListing } from "../print/print-answer.ts";

const circuitSchema = z.looseObject({
  agent: z.string(),
  state: z.string(),
  outputs: z.number(),
  malformed: z.number(),
  reaction: z.string(),
  held_by: z.string().nullable(),
});

const ratesSchema = z.looseObject({
  producers: z.array(
    z.looseObject({
      agent: z.string(),
      contract: z.string(),
      model: z.string().nullable(),
      prompt_version: z.string().nullable(),
      outputs: z.number(),
      malformed: z.number(),
      rate: z.number(),
    }),
  ),
});

const PERCENT = 100;

export function addCircuits(program: Command): void {
  const circuits = program
    .command("circuits")
    .description("see who makes malformed outputs, open and close circuits");
  withConnection(circuits.command("ls").description("list circuits"), "console").action(
    async (options: Connection) =>
      printCircuits(await callApi(findApi("console", options), { path: "/api/v1/circuits" }), options),
  );
  addRates(circuits);
  addSwitch(circuits, "open", "have an agent replaced or paused, as its team declares, until it is closed");
  addSwitch(circuits, "close", "have an agent work as usual again");
}

function addRates(circuits: Command): void {
  const command = circuits
    .command("rates")
    .description("list producers by how much of what they make is malformed")
    .option("--span <span>", "hour or two_days", "hour");
  withConnection(command, "console").action(async (options: Connection & { readonly span: string }) => {
    const path = `/api/v1/producers?span=${encodeURIComponent(options.span)}`;
    const answer = await callApi(findApi("console", options), { path });
    printListing(
      {
        answer,
        rows: ratesSchema.parse(answer).producers,
        columns: [
          ["agent", (one) => one.agent],
          ["contract", (one) => one.contract],
          ["model", (one) => one.model ?? ""],
          ["prompt", (one) => one.prompt_version ?? ""],
          ["outputs", (one) => one.outputs],
          ["malformed", (one) => one.malformed],
          ["rate", (one) => `${(one.rate * PERCENT).toFixed(1)} %`],
        ],
        empty: "Nothing was made.",
      },
      options,
    );
  });
}

function addSwitch(circuits: Command, kind: "open" | "close", description: string): void {
  const command = circuits
    .command(`${kind} <agent>`)
    .description(description)
    .option("--why <reason>", "for whoever reads the audit");
  withConnection(command, "console").action(
    async (agent: string, options: Connection & { readonly why?: string }) => {
      const path = `/api/v1/circuits/${encodeURIComponent(agent)}/${kind}`;
      const body = options.why === undefined ? {} : { why: options.why };
      const answer = await callApi(findApi("console", options), { method: "POST", path, body });
      printCircuits({ circuits: [answer] }, options);
    },
  );
}

function printCircuits(answer: unknown, options: Connection): void {
  printListing(
    {
      answer,
      rows: z.looseObject({ circuits: z.array(circuitSchema) }).parse(answer).circuits,
      columns: [
        ["agent", (one) => one.agent],
        ["state", (one) => one.state],
        ["outputs", (one) => one.outputs],
        ["malformed", (one) => one.malformed],
        ["while open", (one) => one.reaction],
        ["held by", (one) => one.held_by ?? ""],
      ],
      empty: "No circuits: no agent has worked yet.",
    },
    options,
  );
}
