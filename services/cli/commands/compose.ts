import type { Command } from "commander";

const FILE_TEAMS: [flags: string, description: string, fallback: string[]] = [
  "--file-teams <team...>",
  "teams whose agents read the files that clients upload",
  ["documents"],
];

/** The commands behind docker-compose.yml: they write it, and the secrets of its containers. */
export function addCompose(program: Command): void {
  const compose = program
    .command("compose")
    .description("write the compose file of the loaded teams, and the secrets of its containers");
  compose
    .command("write")
    .description("write a compose file with one container for each service and each agent")
    .option("--out <file>", "where to; - writes to standard output", "-")
    .option(...FILE_TEAMS)
    .action(async (options: { readonly out: string; readonly fileTeams: readonly string[] }) =>
      (await import("../compose/compose-command.ts")).writeComposeFile(options),
    );
  compose
    .command("secrets")
    .description("write each container's secrets into a folder of its own; the compose file runs this")
    .requiredOption("--out <folder>", "holds one folder for each container")
    .requiredOption("--volumes <folder>", "holds the containers' data folders")
    .option("--redis <address>", "of the Redis that containers use", "redis://redis:6379")
    .option(...FILE_TEAMS)
    .action(
      async (options: {
        readonly out: string;
        readonly volumes: string;
        readonly redis: string;
        readonly fileTeams: readonly string[];
      }) => (await import("../compose/write-secrets.ts")).writeSecrets(options),
    );
}
