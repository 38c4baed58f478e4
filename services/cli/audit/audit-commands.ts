import { appendFileSync, writeFileSync } from "node:fs";
import { EXIT } from "../end-with.ts";
import { findApi } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson, write } from "../print/print-answer.ts";
import { readRecords } from "./read-records.ts";
import { parseHead, readExportedHead, verifyAudit } from "./verify-audit.ts";

interface VerifyOptions extends Connection {
  readonly since?: string;
  readonly against?: string;
}

/** Verifies all records, and says which one is changed. */
export async function verifyRecords(options: VerifyOptions): Promise<void> {
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

/** Writes all records as they were signed. */
export async function exportRecords(options: Connection & { readonly out?: string }): Promise<void> {
  const { out } = options;
  if (out !== undefined) writeFileSync(out, "", { mode: 0o600 });
  for await (const { records } of readRecords(findApi("console", options))) {
    if (out === undefined) for (const record of records) write(record);
    else appendFileSync(out, records.map((record) => `${record}\n`).join(""));
  }
}
