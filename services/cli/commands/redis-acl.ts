import type { Command } from "commander";

/** The command that writes who may do what in Redis. */
export function addRedisAcl(program: Command): void {
  program
    .command("redis-acl")
    .description("write the users of Redis, one for each service and agent of the loaded teams")
    .requiredOption("--out <folder>", "where users.acl and passwords.json go; kept passwords stay")
    .action(async (options: { readonly out: string }) =>
      (await import("../keys/write-redis-acl.ts")).writeRedisAcl(options),
    );
}
