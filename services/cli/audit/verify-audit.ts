import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { digestOf } from "#shared/envelope/seals";
import { readJson } from "#shared/json";
import { ChainCheck } from "#shared/people";
import type { KnownHead } from "#shared/people";
import { CommandRefusedError, EXIT } from "../errors.ts";
import { answerOf, openClient } from "../http/call-api.ts";
import type { Api, JsonOf } from "../http/call-api.ts";
import { findApi } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson, write } from "../print/print-answer.ts";

const PAGE = 1000;

const numberedSchema = z.object({ number: z.int().min(1) });
/** Of a head, which the check verifies, what is read here. */
const headSchema = z.object({
  count: z.number().optional(),
  digest: z.string().optional(),
  first: z.number().default(1),
});

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

/** Writes all records as they are stored. */
export async function exportRecords(options: Connection & { readonly out?: string }): Promise<void> {
  const { out } = options;
  if (out !== undefined) writeFileSync(out, "", { mode: 0o600 });
  for await (const { records } of readRecords(findApi("console", options))) {
    if (out === undefined) for (const record of records) write(record);
    else appendFileSync(out, records.map((record) => `${record}\n`).join(""));
  }
}

/** Reads all records, oldest first, a page at a time; at least one page, which may be empty. */
async function* readRecords(api: Api): AsyncGenerator<JsonOf<"exportPeopleAudit">> {
  for (let offset = 0; ; offset += PAGE) {
    const params = { query: { offset, limit: PAGE } };
    const page = await answerOf(openClient(api).GET("/v1/audit/people/records", { params }));
    yield page;
    if (page.records.length < PAGE) return;
  }
}

/**
 * Checks every record's number and link, and the last against its note. @param noted - Heads to be held still.
 * @returns The number of `records`; `head`, `count:digest` of the last one, to be noted and compared with later: null
 * where there is none or a fault; and the first `fault`.
 */
export async function verifyAudit(api: Api, noted: readonly KnownHead[]) {
  let check: ChainCheck | null = null;
  let records = 0;
  let end: string | null = null;
  for await (const { records: texts, head } of readRecords(api)) {
    // The first head is held against all that is read later: records that come meanwhile do no harm.
    check ??= new ChainCheck({ known: noted, begin: readHead(head).first });
    for (const text of texts) check.take(text);
    records += texts.length;
    end = head;
  }
  const fault = check?.end(end) ?? null;
  const { count, digest } = readHead(end);
  const isWhole = fault === null && count !== undefined && digest !== undefined;
  return { ok: fault === null, records, head: isWhole ? `${count}:${digest}` : null, fault };
}

/** `12:3fa…` as `verifyAudit` gives it. @throws {CommandRefusedError} It is none. */
function parseHead(text: string): KnownHead {
  const [count = "", digest = "", ...rest] = text.split(":");
  if (rest.length > 0 || !/^\d{1,12}$/.test(count) || !/^[0-9a-f]{64}$/.test(digest))
    throw new CommandRefusedError(
      `"${text.slice(0, 100)}" is no head of the audit.`,
      "Take one that `suture audit verify` has printed: a count, a colon, and 64 hex digits.",
    );
  return { count: Number(count), digest };
}

/** Returns the head of an export: its last record. @throws {CommandRefusedError} The file ends with no record. */
function readExportedHead(file: string): KnownHead {
  const record = readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "";
  const parsed = numberedSchema.safeParse(readJson(record));
  if (!parsed.success)
    throw new CommandRefusedError(
      `${file} ends with no record of the audit.`,
      "Take a file that `suture audit export --out FILE` has written, whole.",
    );
  return { count: parsed.data.number, digest: digestOf(record) };
}

function readHead(head: string | null): z.output<typeof headSchema> {
  const parsed = headSchema.safeParse(readJson(head ?? "{}"));
  return parsed.success ? parsed.data : { first: 1 };
}
