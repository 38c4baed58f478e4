import type { Command } from "commander";
import { countOption } from "./with-connection.ts";

interface UpOptions {
  readonly dataDir?: string;
  readonly port?: string;
  readonly consolePort?: string;
  readonly rehearsalPort?: string;
  readonly processes?: number;
}

/** Adds the options that say where a deployment on this machine keeps its data and listens. */
export function withPlaces(command: Command): Command {
  return command
    .option("--data-dir <folder>", "where Redis data, keys and logs are kept (SUTURE_DATA_DIR)")
    .option("--port <port>", "the gateway's port; 0 takes any free one (SUTURE_GATEWAY_PORT)")
    .option("--console-port <port>", "the console's port (SUTURE_CONSOLE_PORT)")
    .option(
      "--rehearsal-port <port>",
      "port of the bundled model server and sandbox (SUTURE_REHEARSAL_PORT)",
    );
}

export function addUp(program: Command): void {
  const command = program
    .command("up")
    .description("start everything on this machine and keep it running until Ctrl+C");
  withPlaces(command)
    .addOption(
      countOption(
        "--processes <n>",
        "processes for the agents, and one for each service; without it, one process runs all",
        { max: 64 },
      ),
    )
    .action(async (options: UpOptions) => {
      const { runUp } = await import("../launcher/run-up.ts");
      await runUp({
        overrides: {
          SUTURE_DATA_DIR: options.dataDir,
          SUTURE_GATEWAY_PORT: options.port,
          SUTURE_CONSOLE_PORT: options.consolePort,
          SUTURE_REHEARSAL_PORT: options.rehearsalPort,
        },
        ...(options.processes === undefined ? {} : { processes: options.processes }),
      });
    });
}
