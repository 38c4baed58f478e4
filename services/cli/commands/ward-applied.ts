import { Option } from "commander";
import type { Command } from "commander";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printListing } from "../print/print-answer.ts";
import { readCount } from "../read-option.ts";

interface AppliedOptions extends Connection {
  readonly limit: number;
  readonly offset: number;
}

export function addApplied(ward: Command): void {
  const command = ward
    .command("applied <batch_id>")
    .description("list what became of each case of a piece of work on a group")
    .addOption(new Option("--limit <n>", "at most this many").argParser(readCount(1, 200)).default(50))
    .addOption(new Option("--offset <n>", "leave out so many").argParser(readCount(0, 1_000_000)).default(0));
  withConnection(command, "console").action(async (batchId: string, options: AppliedOptions) => {
    const { limit, offset } = options;
    const request = { params: { path: { batch_id: batchId }, query: { limit, offset } } };
    const answer = await answerOf(
      openClient(findApi("console", options)).GET("/v1/ward/applies/{batch_id}/cases", request),
    );
    printListing(
      {
        answer,
        rows: answer.cases,
        columns: [
          ["case", (one) => one.case_id],
          ["agent", (one) => one.agent],
          ["status", (one) => one.status ?? "kept no more"],
          ["result", (one) => one.result.replaceAll("_", " ")],
        ],
        empty: "No case waited in that group.",
      },
      options,
    );
  });
}
