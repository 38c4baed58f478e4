import type { Command } from "commander";
import { loadConfig } from "#shared/config";
import { drawHandoffs, listHandoffs } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { answerOf, openClient } from "../http/call-api.ts";
import type { JsonOf } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printListing, write } from "../print/print-answer.ts";

const PERCENT = 100;

interface MatrixOptions extends Connection {
  readonly span: JsonOf<"listHandoffs">["span"];
  readonly mermaid?: boolean;
}

/** Who may send what to whom: drawn from the teams' files, listed with what became of it by a gateway that runs. */
export function addMatrix(teams: Command): void {
  const command = teams
    .command("matrix")
    .description("list who may hand what to whom, with how often it went well")
    .option("--span <span>", "hour or two_days", "hour")
    .option("--mermaid", "draw what the teams' files declare; nothing has to run");
  withConnection(command, "gateway").action(async (options: MatrixOptions) => {
    if (options.mermaid === true) {
      write(drawHandoffs(listHandoffs(await loadTeams(loadConfig().teamsDir))));
      return;
    }
    const query = { span: options.span };
    const answer = await answerOf(
      openClient(findApi("gateway", options)).GET("/v1/handoffs", { params: { query } }),
    );
    printListing(
      {
        answer,
        rows: answer.handoffs,
        columns: [
          ["team", (one) => one.team ?? "(declared by none)"],
          ["from", (one) => one.from],
          ["to", (one) => one.to],
          ["type", (one) => one.handoff_type],
          ["contract", (one) => one.contract],
          ["done", (one) => String(one.done)],
          ["failed", (one) => String(one.failed)],
          [
            "success",
            (one) => (one.success_rate === null ? "" : `${(one.success_rate * PERCENT).toFixed(1)} %`),
          ],
        ],
        empty: "No teams.",
      },
      options,
    );
  });
}
