import { digestOf } from "#shared/envelope/seals";
import { readHead, readRecord } from "./record.ts";
import type { KnownHead, PeopleHead, PeopleRecord } from "./record.ts";

/** A fault in the audit log: a record that is missing or was changed. */
export interface ChainFault {
  /** Number of the record, if it can be known. */
  readonly number: number;
  readonly problem: string;
}

/** One record, held against the one before it. */
interface JudgedRecord {
  /** Null when it cannot be read. */
  readonly record: PeopleRecord | null;
  /** The fault at this record; null for none. */
  readonly fault: ChainFault | null;
}

/**
 * Verifies the audit log (hash chain) record by record: number, and digest of the previous one. Keeps the first fault.
 */
export class ChainCheck {
  /** The first fault; null for none. */
  fault: ChainFault | null = null;
  private readonly known: readonly KnownHead[];
  private readonly met = new Set<KnownHead>();
  private first: PeopleRecord | null = null;
  private last: { readonly count: number; readonly digest: string | null } | null = null;
  private readonly begin: number;

  /** @param how.known - Heads noted before: each must occur, or be older. @param how.begin - Default 1. */
  constructor(how: { readonly known?: readonly KnownHead[]; readonly begin?: number } = {}) {
    this.known = how.known ?? [];
    this.begin = how.begin ?? 1;
  }

  /** Verifies the next record. */
  take(text: string): JudgedRecord {
    const before = this.last;
    const record = readRecord(text);
    if (record === null) {
      const fault = { number: before === null ? this.begin : before.count + 1, problem: "it was edited" };
      // Skips the following checks, so that one fault is reported once.
      this.last = { count: fault.number, digest: null };
      return this.found(null, fault);
    }
    const present = { count: record.number, digest: digestOf(text) };
    const fault = before === null ? null : faultBetween(before, record);
    this.first ??= record;
    this.last = present;
    return this.found(record, fault ?? this.remembered(present));
  }

  /**
   * Verifies the end of the log, and that no records are missing at either end.
   * @param text - The head; null for none.
   * @returns The first fault; null for an intact log.
   */
  end(text: string | null): ChainFault | null {
    this.fault ??= this.faultAtEnds(text);
    return this.fault;
  }

  private faultAtEnds(text: string | null): ChainFault | null {
    const count = this.last?.count ?? 0;
    if (text === null) {
      const isNew = this.last === null && this.known.every((known) => known.count === 0);
      return isNew ? null : { number: count, problem: "what is noted of the last record is missing" };
    }
    const head = readHead(text);
    if (head === null) return { number: count, problem: "what is noted of the last record cannot be read" };
    return this.faultBesideHead(head);
  }

  private faultBesideHead(head: PeopleHead): ChainFault | null {
    const [first, last] = [this.first?.number ?? head.count + 1, this.last?.count ?? head.first - 1];
    if (first > head.first) return missing(head.first, Math.min(first - 1, head.count));
    if (last < head.count) return missing(last + 1, head.count);
    if (last > head.count)
      return { number: head.count + 1, problem: "what is noted of the last record is older" };
    if (this.last !== null && this.last.digest !== head.digest)
      return { number: last, problem: "it is not the last record that was noted" };
    const ahead = this.known.filter(({ count: known }) => known > head.count);
    const most = Math.max(...ahead.map(({ count: known }) => known));
    if (ahead.length > 0) return missing(head.count + 1, most);
    const lost = this.known.find((one) => one.count >= head.first && !this.met.has(one));
    return lost === undefined ? null : { number: lost.count, problem: "it is another record than was noted" };
  }

  private remembered(last: KnownHead): ChainFault | null {
    const own = this.known.filter(({ count }) => count === last.count);
    for (const one of own) this.met.add(one);
    return own.every(({ digest }) => digest === last.digest)
      ? null
      : { number: last.count, problem: "it is another record than was noted" };
  }

  private found(record: PeopleRecord | null, fault: ChainFault | null): JudgedRecord {
    this.fault ??= fault;
    return { record, fault };
  }
}

function faultBetween(
  before: { readonly count: number; readonly digest: string | null },
  { number, previous }: PeopleRecord,
): ChainFault | null {
  if (number > before.count + 1) return missing(before.count + 1, number - 1);
  if (number <= before.count) return { number, problem: "it stands behind a later one" };
  return before.digest === null || previous === before.digest
    ? null
    : { number: before.count, problem: "it is not the record that the next one was written behind" };
}

function missing(from: number, to: number): ChainFault {
  return { number: from, problem: from === to ? "it is missing" : `records ${from} to ${to} are missing` };
}
