import type { Command } from "commander";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson, write } from "../print/print-answer.ts";

interface MarkOptions extends Connection {
  readonly why?: string;
  readonly since?: string;
}

/** What people think of a group of like failures. */
export function addGroupMarks(ward: Command): void {
  addMark(ward, "acknowledge", "say that somebody looks after a group");
  addMark(
    ward,
    "resolve",
    "say that the cause of a group is gone; a message that speaks against it makes it regressed",
  );
  addMark(ward, "reopen", "take that back");
}

function addMark(ward: Command, kind: "acknowledge" | "resolve" | "reopen", description: string): void {
  const command = ward.command(`${kind} <fingerprint>`).description(description);
  if (kind === "resolve") {
    command
      .requiredOption("--why <reason>", "for whoever reads the audit")
      .option(
        "--since <name@version>",
        "only messages of this agent, contract or producer version, or later, count",
      );
  } else command.option("--why <reason>", "for whoever reads the audit");
  withConnection(command, "console").action(async (fingerprint: string, options: MarkOptions) => {
    const { why, since } = options;
    const client = openClient(findApi("console", options));
    const params = { path: { fingerprint } };
    const answer = await answerOf(
      kind === "resolve"
        ? client.POST("/v1/ward/groups/{fingerprint}/resolve", {
            params,
            body: { why: why ?? "", ...(since === undefined ? {} : { since }) },
          })
        : client.POST(`/v1/ward/groups/{fingerprint}/${kind}`, {
            params,
            body: why === undefined ? {} : { why },
          }),
    );
    if (options.json === true) printJson(answer);
    else write(`Group ${fingerprint} is ${answer.lifecycle}.`);
  });
}
