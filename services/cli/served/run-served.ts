import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isServedAgent, serveAgent } from "#shared/a2a/served";
import type { ServedAgent, ServingOptions } from "#shared/a2a/served";
import { randomHex, whenAborted } from "#shared/clock";
import { VARIABLES } from "#shared/config";
import { createLogger } from "#shared/telemetry";
import { CommandRefusedError } from "../errors.ts";
import { listenForStop } from "../launcher/stop-signals.ts";
import { writeError } from "../print/print-answer.ts";

/** Bytes of one message, as the envelope bounds them. */
const BODY_BYTES_MAX = 1024 * 1024;
const TOKEN_BYTES = 24;

/**
 * Serves the agent of a file until a signal stops it. @throws {CommandRefusedError} The file has no served agent, the
 * environment holds secrets of the team, or strangers would reach the port without a token.
 */
export async function runServed(
  file: string,
  {
    tokenFile,
    ...options
  }: Omit<ServingOptions, "token" | "bodyBytesMax" | "logger"> & {
    readonly tokenFile?: string;
  },
): Promise<void> {
  refuseSecrets();
  // A parent that serves an agent beside itself is told the token; nobody else learns of it.
  const made = process.connected ? randomHex(TOKEN_BYTES) : null;
  const token = tokenFile === undefined ? made : readFileSync(tokenFile, "utf8").trim();
  if (token === "" || (token === null && !isLoopback(options.host)))
    throw new CommandRefusedError(
      `Anybody who reaches ${options.host} could give this agent tasks.`,
      "Name a file with a token by --token-file, or listen on 127.0.0.1.",
    );
  const agent = await load(file);
  const logger = createLogger({ service: `served-${agent.name}`, level: "info" });
  const stopping = listenForStop(() => process.exit(1));
  const serving = await serveAgent(agent, { ...options, token, logger, bodyBytesMax: BODY_BYTES_MAX });
  writeError(`Serves ${agent.name}@${agent.version}. Its card: ${serving.card}\n`);
  process.send?.({ card: serving.card, token });
  await whenAborted(stopping.signal).catch(() => undefined);
  await serving.stop();
  stopping.release();
}

/** Refuses an environment with what opens Redis, seals a message or pays for a model: the agent is not trusted. */
function refuseSecrets(): void {
  const names = Object.entries(VARIABLES).flatMap(([name, variable]) =>
    "isSecret" in variable && (process.env[name] ?? "") !== "" ? [name] : [],
  );
  if (names.length === 0) return;
  throw new CommandRefusedError(
    `The environment holds what an agent that is not trusted must not have: ${names.join(", ")}.`,
    "Start it in a container or shell of its own, without the team's settings.",
  );
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

async function load(file: string): Promise<ServedAgent> {
  // A module may export anything; it is looked at below.
  const module = (await import(pathToFileURL(resolve(file)).href)) as { readonly default?: unknown };
  if (isServedAgent(module.default)) return module.default;
  throw new CommandRefusedError(
    `${file} has no served agent.`,
    "Its default export has to be what servedAgent() gives.",
  );
}
