import { join } from "node:path";
import openapiTS from "openapi-typescript";
import { describeApi } from "#shared/api";

export const CLIENT_FILE = join(import.meta.dirname, "../../shared/api/client/index.ts");

const HEAD = "// Written by `npm run client` from the declarations of this room. Do not edit.\n\n";

/** The types of a client, as openapi-typescript makes them of the served document. */
export async function renderClient(): Promise<string> {
  // Its own copy, because the generator writes into what it reads.
  const text = await openapiTS(JSON.parse(JSON.stringify(describeApi())), { commentHeader: HEAD });
  return text.replaceAll(/[ \t]+$/gm, "");
}
