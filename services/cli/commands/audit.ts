import type { Command } from "commander";
import { withConnection } from "./with-connection.ts";

export function addAudit(program: Command): void {
  const audit = program
    .command("audit")
    .description("what people did: verify that nobody changed it, export it");
  const verify = audit
    .command("verify")
    .description(
      "hold every record against its signature and the one before it; exit code 1 where one is changed",
    )
    .option("--since <head>", "a head that an earlier verify printed: the records have to hold it still");
  verify.option("--against <file>", "an earlier export: the records have to hold its last one still");
  withConnection(verify, "console").action(async (options) =>
    (await import("../audit/audit-commands.ts")).verifyRecords(options),
  );
  const exported = audit
    .command("export")
    .description("write all records, oldest first, as JSON lines, as they were signed")
    .option("--out <file>", "the file to write (default: standard output)");
  withConnection(exported, "console").action(async (options) =>
    (await import("../audit/audit-commands.ts")).exportRecords(options),
  );
}
