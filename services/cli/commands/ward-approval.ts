import type { Command } from "commander";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson, write } from "../print/print-answer.ts";

interface ApprovalOptions extends Connection {
  readonly why: string;
}

/** A person's word on a tool call that waits for it; `suture ward show` prints the call. */
export function addApproval(ward: Command): void {
  add(ward, { name: "approve", approved: true, description: "let the tool call that a case waits with run" });
  add(ward, { name: "refuse", approved: false, description: "have the agent go on without its tool call" });
}

function add(
  ward: Command,
  word: { readonly name: string; readonly approved: boolean; readonly description: string },
): void {
  const { name, approved, description } = word;
  const command = ward
    .command(`${name} <case_id>`)
    .description(description)
    .requiredOption("--why <reason>", "for the agent, and for whoever reads the audit");
  withConnection(command, "console").action(async (id: string, options: ApprovalOptions) => {
    const request = { params: { path: { case_id: id } }, body: { approved, why: options.why } };
    const answer = await answerOf(
      openClient(findApi("console", options)).POST("/v1/ward/cases/{case_id}/approval", request),
    );
    if (options.json === true) printJson(answer);
    else write(`Written down: the call of case ${id} is ${approved ? "approved" : "refused"}.`);
  });
}
