import { z } from "zod";
import { CommandRefusedError } from "../errors.ts";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { write } from "../print/print-answer.ts";

const documentSchema = z.object({
  openapi: z.string(),
  info: z.looseObject({}),
  components: z.object({ schemas: z.looseObject({ Teams: z.looseObject({}) }) }),
});

const HEAD = `/** Types of the teams of a Suture gateway, written by \`suture types\`. */

`;

/** Reads an API description with the types of teams. @throws {CommandRefusedError} It describes none. */
export function readTeams(document: unknown): z.output<typeof documentSchema> {
  const read = documentSchema.safeParse(document);
  if (read.success) return read.data;
  throw new CommandRefusedError(
    "The gateway describes no teams.",
    "Use a key that may use a team, and a gateway of this release.",
  );
}

/** Returns a declaration of `Teams`. @param document - Of `/v1/openapi.json`. @throws {CommandRefusedError} */
export async function typesOfTeams(document: unknown): Promise<string> {
  const { openapi, info, components } = readTeams(document);
  // Loaded only here: no other command needs it.
  const { default: openapiTS } = await import("openapi-typescript");
  // The generator takes a document of a type that zod cannot say, and checks it itself.
  const teams = { openapi, info, paths: {}, components } as unknown as Parameters<typeof openapiTS>[0];
  const types = await openapiTS(teams, { commentHeader: HEAD });
  return `${types}\nexport type Teams = components["schemas"]["Teams"];\n`;
}

/** Prints the types of a running gateway's teams. */
export async function printTypes(connection: Connection): Promise<void> {
  const gateway = findApi("gateway", connection);
  const request = { parseAs: "json" } as const;
  const document: unknown = await answerOf(openClient(gateway).GET("/v1/openapi.json", request));
  write((await typesOfTeams(document)).trimEnd());
}
