import type { Command } from "commander";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { write } from "../print/print-answer.ts";
import { typesOfTeams } from "../print/types-of-teams.ts";

interface TypesOptions extends Connection {
  readonly url?: string;
}

export function addTypes(program: Command): void {
  const command = program
    .command("types")
    .description("write the types of the teams for `createClient<Teams>`, from a running gateway")
    .option("--url <url>", "as --gateway-url");
  withConnection(command, "gateway").action(async ({ url, ...connection }: TypesOptions) => {
    const gateway = findApi("gateway", url === undefined ? connection : { ...connection, gatewayUrl: url });
    const request = { parseAs: "json" } as const;
    const document: unknown = await answerOf(openClient(gateway).GET("/v1/openapi.json", request));
    write((await typesOfTeams(document)).trimEnd());
  });
}
