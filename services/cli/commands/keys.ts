import type { Command } from "commander";
import { countOption } from "./with-connection.ts";

interface KeyOptions {
  readonly dataDir?: string;
  readonly out?: string;
  readonly replace?: boolean;
  readonly json?: boolean;
  readonly retireBefore?: number;
  readonly secrets?: boolean;
}

/** The key command. It reads the master, as the launcher, `compose secrets` and a gateway without a key file do. */
export function addKeys(program: Command): void {
  const keys = program
    .command("keys")
    .description("make, issue and rotate the keys that messages are sealed with");
  const folder = ["--data-dir <folder>", "where the master is kept (SUTURE_DATA_DIR)"] as const;
  keys
    .command("new")
    .description("make the master that all keys are derived from")
    .option(...folder)
    .action(async (options: KeyOptions) => (await import("../keys/key-commands.ts")).makeMaster(options));
  keys
    .command("prepare")
    .description("make and issue all that services need that share one data folder, as in docker-compose.yml")
    .option(...folder)
    .action(async (options: KeyOptions) => (await import("../keys/key-commands.ts")).prepareKeys(options));
  keys
    .command("issue <agent>")
    .description("issue the keys of one agent's edges, and no others; gateway and surgeon are agents too")
    .option(...folder)
    .option("--out <file>", "where to; - writes to standard output (default: the data folder)")
    .action(async (agent: string, options: KeyOptions) =>
      (await import("../keys/key-commands.ts")).issue(agent, options),
    );
  keys
    .command("status")
    .description("which generations sign and verify, and what the key file of each process has")
    .option(...folder)
    .option("--json", "print JSON")
    .action(async (options: KeyOptions) => (await import("../keys/status.ts")).showKeys(options));
  keys
    .command("rotate")
    .description("take the next step of a rotation: first the new keys verify everywhere, then they sign")
    .option(...folder)
    .addOption(
      countOption("--retire-before <generation>", "forget generations older than this one", { max: 1e9 }),
    )
    .action(async (options: KeyOptions) => (await import("../keys/rotate.ts")).rotate(options));
}
