import { appendFileSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { readRecords } from "../audit/read-records.ts";
import { parseHead, readExportedHead, verifyAudit } from "../audit/verify-audit.ts";
import { EXIT } from "../end-with.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson, write } from "../print/print-answer.ts";

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
  withConnection(verify, "console").action(verifyRecords);
  const exported = audit
    .command("export")
    .description("write all records, oldest first, as JSON lines, as they were signed")
    .option("--out <file>", "the file to write (default: standard output)");
  withConnection(exported, "console").action(exportRecords);
}

interface VerifyOptions extends Connection {
  readonly since?: string;
  readonly against?: string;
}

async function verifyRecords(options: VerifyOptions): Promise<void> {
  const { since, against } = options;
  const noted = [
    ...(since === undefined ? [] : [parseHead(since)]),
    ...(against === undefined ? [] : [readExportedHead(against)]),
  ];
  const found = await verifyAudit(findApi("console", options), noted);
  const { fault, records, head } = found;
  if (fault !== null) process.exitCode = EXIT.failed;
  if (options.json === true) return printJson(found);
  if (fault !== null) return write(`Record ${fault.number}: ${fault.problem}. ${records} records were read.`);
  if (head === null) return write("Nobody has done anything yet.");
  write(`${records} records are as they were written. Head ${head}`);
  write("Note the head, or keep an export: a later verify holds the records against --since or --against.");
}

async function exportRecords(options: Connection & { readonly out?: string }): Promise<void> {
  const { out } = options;
  if (out !== undefined) writeFileSync(out, "", { mode: 0o600 });
  for await (const { records } of readRecords(findApi("console", options))) {
    if (out === undefined) for (const record of records) write(record);
    else appendFileSync(out, records.map((record) => `${record}\n`).join(""));
  }
}
