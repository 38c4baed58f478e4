import { listMcpTools } from "#shared/mcp";
import { bridgeToStdio } from "#shared/mcp/serve";
import type { McpServer } from "#shared/mcp";
import { CommandRefusedError } from "../errors.ts";
import { callEndpoint } from "../http/call-api.ts";
import { findApi } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";

/** Serves the console's tools on standard input and output, with the key of whoever started the command. */
export async function serveConsole(options: Connection): Promise<void> {
  const api = findApi("console", options);
  // A wrong address or key is told before a client asks for tools.
  await callEndpoint(api, "GET /v1/session", { params: {}, fields: {} });
  const url = `${api.url.replace(/\/$/, "")}/mcp`;
  await bridgeToStdio(url, { authorization: `Bearer ${api.key}` });
}

interface PinOptions {
  readonly url?: string;
  readonly header: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly json: boolean;
}

/** Prints a declaration of a server's tools with their hashes. */
export async function pinTools(command: string[], options: PinOptions): Promise<void> {
  const listed = await listMcpTools(serverOf(command, options), new AbortController().signal);
  const lines = options.json
    ? JSON.stringify(listed, null, 2)
    : listed.map(({ name, description, hash }) => declare(name, description, hash)).join("\n");
  process.stdout.write(`${lines}\n`);
}

function serverOf([command, ...args]: string[], { url, header, env }: PinOptions): McpServer {
  if (url !== undefined && command === undefined) return { url, headers: header };
  if (url === undefined && command !== undefined) return { command, args, env };
  throw new CommandRefusedError("neither a command nor --url was given, or both", "Give one of them.");
}

/** One entry of `tools`: what a tool does is for its user to read, and to say. */
function declare(name: string, description: string, hash: string): string {
  // Written by a stranger: control characters would act on the terminal.
  const told = description.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").slice(0, 200);
  return `// ${told}\n${JSON.stringify(name)}: { hash: "${hash}", effect: "write", approval: true },`;
}
