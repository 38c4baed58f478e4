import type { Command } from "commander";
import { readCount } from "../read-option.ts";

const port = readCount(0, 65_535);

/** The command that runs an agent which is trusted with nothing of the team. */
export function addServeAgent(program: Command): void {
  program
    .command("serve-agent <file>")
    .description("serve one agent that gets no Redis and no keys, behind A2A, until stopped")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <port>", "port of the card and JSON-RPC", port, 8090)
    .option("--grpc-port <port>", "port of gRPC (default: none)", port)
    .option("--url <url>", "scheme and host by which the team reaches it (default: host and port)")
    .option("--token-file <file>", "file with what callers show as a bearer token")
    .action(async (file: string, options) =>
      (await import("../served/run-served.ts")).runServed(file, options),
    );
}
