import { writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS from "openapi-typescript";
import { describeApi } from "#shared/api";

const CLIENT_FILE = join(import.meta.dirname, "../../shared/api/client/generated.ts");

const HEAD = `/**
 * The types of a client of the API, written by \`npm run client\`.
 */

`;

/** Types of a client as openapi-typescript makes them of a document. */
async function generateTypes(document: unknown): Promise<string> {
  // A copy, because the generator writes into what it reads.
  return openapiTS(JSON.parse(JSON.stringify(document)), { commentHeader: "" });
}

/** The types of a client for this repository: without the descriptions, which stand in the declarations. */
async function renderClient(): Promise<string> {
  const types = await generateTypes(describeApi());
  const kept = types
    .replaceAll(/^ *\/\*\*[^]*?\*\/\n/gm, "")
    .replaceAll(/^export type (?:webhooks|external|\$defs) = .*\n/gm, "")
    .split("\n")
    .map((line) => (line.length > 100 ? line.replaceAll(/ (?=[|?:] )/g, "\n          ") : line).trimEnd());
  return `${HEAD}${kept.join("\n").trim()}\n`;
}

writeFileSync(CLIENT_FILE, await renderClient());
