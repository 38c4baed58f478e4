import type { Command } from "commander";
import type { DemoOptions } from "../demo/run-demo.ts";
import { countOption } from "./call-command.ts";

export const SEED_MAX = 4_294_967_295;

/** Commands that make a project, and start what is in it. */
export function addInit(program: Command): void {
  program
    .command("init")
    .description(
      "make this folder a project: a team with its test, configuration, Dockerfile, compose file, CI",
    )
    .option("--yes", "write without asking", false)
    .action(async ({ yes: isAgreed }: { readonly yes: boolean }) =>
      (await import("../init/init-project.ts")).initProject(process.cwd(), { isAgreed }),
    );
}

export function addNew(program: Command): void {
  program
    .command("new")
    .description("write the beginnings of something new")
    .command("agent <name>")
    .description("a working agent with its stand-in, its prompt and its test")
    .option("--team <folder>", "folder of the team it joins (default: a team of its own)")
    .action(async (name: string, options: { readonly team?: string }) =>
      (await import("../init/new-agent.ts")).newAgent(name, options),
    );
}

interface Places {
  readonly dataDir?: string;
  readonly port?: string;
  readonly consolePort?: string;
  readonly rehearsalPort?: string;
}

/** Adds the options that say where a deployment on this machine keeps its data and listens. */
function withPlaces(command: Command): Command {
  return command
    .option("--data-dir <folder>", "where Redis data, keys and logs are kept (SUTURE_DATA_DIR)")
    .option("--port <port>", "the gateway's port; 0 takes any free one (SUTURE_GATEWAY_PORT)")
    .option("--console-port <port>", "the console's port (SUTURE_CONSOLE_PORT)")
    .option(
      "--rehearsal-port <port>",
      "port of the bundled model server and sandbox (SUTURE_REHEARSAL_PORT)",
    );
}

export function addDev(program: Command): void {
  const command = program
    .command("dev")
    .description("start everything as `up` does, and again whenever a file of the teams changes");
  withPlaces(command).action(async ({ dataDir }: Places) => {
    const { runDev } = await import("../dev/run-dev.ts");
    // Its options are those of `up`, and are passed on by name.
    const given = command.options.flatMap((option) => {
      const value: unknown = command.getOptionValue(option.attributeName());
      return typeof value === "string" ? [option.long ?? "", value] : [];
    });
    await runDev(given, { SUTURE_DATA_DIR: dataDir });
  });
}

export function addUp(program: Command): void {
  const processes = countOption(
    "--processes <n>",
    "processes for the agents, and one for each service; without it, one process runs all",
    { max: 64 },
  );
  const command = program
    .command("up")
    .description("start everything on this machine and keep it running until Ctrl+C");
  withPlaces(command)
    .addOption(processes)
    .action(async (options: Places & { readonly processes?: number }) => {
      const overrides = {
        SUTURE_DATA_DIR: options.dataDir,
        SUTURE_GATEWAY_PORT: options.port,
        SUTURE_CONSOLE_PORT: options.consolePort,
        SUTURE_REHEARSAL_PORT: options.rehearsalPort,
      };
      await (await import("../launcher/launch.ts")).runUp(overrides, options.processes);
    });
}

export function addDemo(program: Command): void {
  program
    .command("demo")
    .description("start everything, send sample tasks with realistic faults, and add up what happened")
    .option("--exit", "end when all is accounted for, with 0 if nothing was lost", false)
    .option("--json <file>", "also write the summary to this file, as JSON")
    .addOption(
      countOption("--seed <n>", "which faults the rehearsal makes (SUTURE_REHEARSAL_SEED)", {
        min: 0,
        max: SEED_MAX,
      }),
    )
    .addOption(countOption("--processes <n>", "processes for the agents", { max: 64 }))
    .addOption(
      countOption("--tasks <n>", "send at most this many tasks (default: every sample)", { max: 100_000 }),
    )
    .addOption(
      countOption("--within <seconds>", "time for the traffic to come to rest", {
        max: 86_400,
        fallback: 600,
      }),
    )
    .action(async (options: DemoOptions) => (await import("../demo/run-demo.ts")).runDemo(options));
}

/** Commands that run one service in the foreground, as a process manager or a container does. */
export function addServices(program: Command): void {
  const services = {
    work: "work for these agents in this process, until stopped",
    gateway: "take tasks over HTTP, until stopped",
    surgeon: "operate on dead messages, until stopped",
    console: "serve the operators' console, until stopped",
  } as const;
  // The keys are those of the literal above.
  for (const name of Object.keys(services) as (keyof typeof services)[]) {
    const command = program
      .command(name === "work" ? "work <agent...>" : name)
      .description(services[name])
      .option("--data-dir <folder>", "where keys and the private Redis are (SUTURE_DATA_DIR)");
    command.action(async () => {
      const { dataDir } = command.opts<Places>();
      const { runService } = await import("../launcher/run-service.ts");
      const service = name === "work" ? "agents" : name;
      process.exitCode = await runService({ service, agents: command.args, dataDir });
    });
  }
}

/** The command that runs an agent which is trusted with nothing of the team. */
export function addServeAgent(program: Command): void {
  const ports = { min: 0, max: 65_535 };
  program
    .command("serve-agent <file>")
    .description("serve one agent that gets no Redis and no keys, behind A2A, until stopped")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .addOption(countOption("--port <port>", "port of the card and JSON-RPC", { ...ports, fallback: 8090 }))
    .addOption(countOption("--grpc-port <port>", "port of gRPC (default: none)", ports))
    .option("--url <url>", "scheme and host by which the team reaches it (default: host and port)")
    .option("--token-file <file>", "file with what callers show as a bearer token")
    .action(async (file, options) => (await import("../served/run-served.ts")).runServed(file, options));
}
