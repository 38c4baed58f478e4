import type { Command } from "commander";

/** Commands that run one service in the foreground, as a process manager or a container does. */
export function addServices(program: Command): void {
  program
    .command("work <agent...>")
    .description("work for these agents in this process, until stopped")
    .option("--data-dir <folder>", "where keys and the private Redis are (SUTURE_DATA_DIR)")
    .action((agents: string[], { dataDir }: { readonly dataDir?: string }) =>
      run({ service: "agents", agents, dataDir }),
    );
  const services = {
    gateway: "take tasks over HTTP, until stopped",
    surgeon: "operate on dead messages, until stopped",
    console: "serve the operators' console, until stopped",
  } as const;
  // The keys are those of the literal above.
  for (const service of Object.keys(services) as (keyof typeof services)[]) {
    program
      .command(service)
      .description(services[service])
      .option("--data-dir <folder>", "where keys and the private Redis are (SUTURE_DATA_DIR)")
      .action(({ dataDir }: { readonly dataDir?: string }) => run({ service, agents: [], dataDir }));
  }
}

async function run(wanted: {
  readonly service: "agents" | "gateway" | "surgeon" | "console";
  readonly agents: readonly string[];
  readonly dataDir: string | undefined;
}): Promise<void> {
  const { runService } = await import("../launcher/run-service.ts");
  process.exitCode = await runService(wanted);
}
