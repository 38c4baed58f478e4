import { readFileSync } from "node:fs";
import { z } from "zod";
import { digestOf } from "#shared/envelope/seals";
import { Keyring } from "#shared/envelope/keys";
import { ChainCheck } from "#shared/people";
import type { ChainFault, KnownHead } from "#shared/people";
import { readJson } from "#shared/store";
import { CommandRefusedError } from "../errors.ts";
import type { Api } from "../http/call-api.ts";
import { readRecords } from "./read-records.ts";

const numberedSchema = z.object({ number: z.int().min(1) });

/** The result of a verification. */
export interface VerifiedAudit {
  readonly ok: boolean;
  /** Records that were read. */
  readonly records: number;
  /** `count:digest` of the last record, to be noted and compared with later; null where there is none or a fault. */
  readonly head: string | null;
  /** The first thing that is wrong; null where nothing is. */
  readonly fault: ChainFault | null;
}

/**
 * Reads what people did from the console and holds every record against its signature, its number and the one before
 * it, and the last one against what is signed of it and what the console remembers.
 *
 * @param noted - Heads that were noted before, outside of the console: the records have to hold them still.
 */
export async function verifyAudit(api: Api, noted: readonly KnownHead[]): Promise<VerifiedAudit> {
  let check: ChainCheck | null = null;
  let records = 0;
  let end: string | null = null;
  for await (const { records: texts, head, remembered, keys } of readRecords(api)) {
    // What is noted first is held against all that is read later: records that come meanwhile do no harm.
    check ??= new ChainCheck(Keyring.fromJson(keys), {
      known: [...noted, ...(remembered === null ? [] : [remembered])],
      begin: firstOf(head),
    });
    for (const text of texts) check.take(text);
    records += texts.length;
    end = head;
  }
  const fault = check?.end(end) ?? null;
  return { ok: fault === null, records, head: fault === null ? headOf(end) : null, fault };
}

/** `12:3fa…` as `verifyAudit` gives it. @throws {CommandRefusedError} It is none. */
export function parseHead(text: string): KnownHead {
  const [count = "", digest = "", ...rest] = text.split(":");
  if (rest.length > 0 || !/^\d{1,12}$/.test(count) || !/^[0-9a-f]{64}$/.test(digest))
    throw new CommandRefusedError(
      `"${text.slice(0, 100)}" is no head of the audit.`,
      "Take one that `suture audit verify` has printed: a count, a colon, and 64 hex digits.",
    );
  return { count: Number(count), digest };
}

/** Returns the head of an export: its last record. @throws {CommandRefusedError} The file ends with no record. */
export function readExportedHead(file: string): KnownHead {
  const record = readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "";
  const parsed = numberedSchema.safeParse(readJson(record));
  if (!parsed.success)
    throw new CommandRefusedError(
      `${file} ends with no record of the audit.`,
      "Take a file that `suture audit export --out FILE` has written, whole.",
    );
  return { count: parsed.data.number, digest: digestOf(record) };
}

interface HeadText {
  readonly count?: unknown;
  readonly digest?: unknown;
  readonly first?: unknown;
}

function readHead(head: string | null): HeadText {
  try {
    // The check verifies its signature; here it only gives the first number and the text to print.
    return (JSON.parse(head ?? "{}") ?? {}) as HeadText;
  } catch {
    return {};
  }
}

function firstOf(head: string | null): number {
  const { first } = readHead(head);
  return typeof first === "number" ? first : 1;
}

function headOf(head: string | null): string | null {
  const { count, digest } = readHead(head);
  return typeof count === "number" && typeof digest === "string" ? `${count}:${digest}` : null;
}
