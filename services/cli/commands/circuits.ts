import type { Command } from "commander";
import { answerOf, openClient } from "../http/call-api.ts";
import type { JsonOf } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printListing } from "../print/print-answer.ts";

type Circuit = JsonOf<"openCircuit">;
type Span = JsonOf<"listRates">["span"];

const PERCENT = 100;

export function addCircuits(program: Command): void {
  const circuits = program
    .command("circuits")
    .description("see who makes malformed outputs, open and close circuits");
  withConnection(circuits.command("ls").alias("list").description("list circuits"), "console").action(
    async (options: Connection) =>
      printCircuits(await answerOf(openClient(findApi("console", options)).GET("/v1/circuits")), options),
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
  withConnection(command, "console").action(async (options: Connection & { readonly span: Span }) => {
    const query = { span: options.span };
    const answer = await answerOf(
      openClient(findApi("console", options)).GET("/v1/producers", { params: { query } }),
    );
    printListing(
      {
        answer,
        rows: answer.producers,
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
      const body = options.why === undefined ? {} : { why: options.why };
      const request = { params: { path: { agent } }, body };
      const circuit = await answerOf(
        openClient(findApi("console", options)).POST(`/v1/circuits/{agent}/${kind}`, request),
      );
      printCircuits({ circuits: [circuit] }, options);
    },
  );
}

function printCircuits(answer: { readonly circuits: readonly Circuit[] }, options: Connection): void {
  printListing(
    {
      answer,
      rows: answer.circuits,
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
