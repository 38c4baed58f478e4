import type { Keyring } from "#shared/envelope/keys";
import { digestOfRecord, openHead, openRecord } from "./record.ts";
import type { KnownHead, PeopleHead, PeopleRecord } from "./record.ts";

/** A place where the records are not what was written. */
export interface ChainFault {
  /** Number of the record, as far as that can be known. */
  readonly number: number;
  readonly problem: string;
}

/** One record as it was found. */
export interface JudgedRecord {
  /** Null where it cannot be believed. */
  readonly record: PeopleRecord | null;
  /** What is wrong here; null where it is as it was written. */
  readonly fault: ChainFault | null;
}

/**
 * Holds the records of what people did against each other, in their order: signature, number and the digest of the one
 * before. Remembers the first fault.
 */
export class ChainCheck {
  /** The first thing that is wrong; null while nothing is. */
  fault: ChainFault | null = null;
  private readonly keyring: Keyring;
  private readonly known: readonly KnownHead[];
  private readonly met = new Set<KnownHead>();
  private first: PeopleRecord | null = null;
  private last: { readonly count: number; readonly digest: string | null } | null = null;
  private readonly begin: number;

  /**
   * @param how.known - What others remember of the records: each has to be met, or to be older than what is kept.
   * @param how.begin - Number that the first record should have. Default 1.
   */
  constructor(
    keyring: Keyring,
    how: { readonly known?: readonly KnownHead[]; readonly begin?: number } = {},
  ) {
    this.keyring = keyring;
    this.known = how.known ?? [];
    this.begin = how.begin ?? 1;
  }

  /** The next record. */
  take(text: string): JudgedRecord {
    const before = this.last;
    const opened = openRecord(text, this.keyring);
    if ("problem" in opened) {
      const fault = { number: before === null ? this.begin : before.count + 1, problem: opened.problem };
      // Nothing is said of what follows: one fault is told once.
      this.last = { count: fault.number, digest: null };
      return this.found(null, fault);
    }
    const { signed: record } = opened;
    const present = { count: record.number, digest: digestOfRecord(text) };
    const fault = before === null ? null : faultBetween(before, record);
    this.first ??= record;
    this.last = present;
    return this.found(record, fault ?? this.remembered(present));
  }

  /**
   * After the last record: whether some are missing at either end.
   *
   * @param text - The signed head; null where there is none.
   * @returns The first fault of all; null where everything is as it was written.
   */
  end(text: string | null): ChainFault | null {
    this.fault ??= this.faultAtEnds(text);
    return this.fault;
  }

  private faultAtEnds(text: string | null): ChainFault | null {
    const count = this.last?.count ?? 0;
    if (text === null) {
      const isNew = this.last === null && this.known.every((known) => known.count === 0);
      return isNew ? null : { number: count, problem: "what was signed of the last record is missing" };
    }
    const opened = openHead(text, this.keyring);
    if ("problem" in opened)
      return {
        number: count,
        problem: `what is said of the last record is not to be believed: ${opened.problem}`,
      };
    return this.faultBesideHead(opened.signed);
  }

  private faultBesideHead(head: PeopleHead): ChainFault | null {
    const [first, last] = [this.first?.number ?? head.count + 1, this.last?.count ?? head.first - 1];
    if (first > head.first) return missing(head.first, Math.min(first - 1, head.count));
    if (last < head.count) return missing(last + 1, head.count);
    if (last > head.count)
      return { number: head.count + 1, problem: "what was signed of the last record is older" };
    if (this.last !== null && this.last.digest !== head.digest)
      return { number: last, problem: "it is not the last record that was signed" };
    const ahead = this.known.filter(({ count: known }) => known > head.count);
    const most = Math.max(...ahead.map(({ count: known }) => known));
    if (ahead.length > 0) return missing(head.count + 1, most);
    const lost = this.known.find((one) => one.count >= head.first && !this.met.has(one));
    return lost === undefined
      ? null
      : { number: lost.count, problem: "it is another record than is remembered" };
  }

  private remembered(last: KnownHead): ChainFault | null {
    const own = this.known.filter(({ count }) => count === last.count);
    for (const one of own) this.met.add(one);
    return own.every(({ digest }) => digest === last.digest)
      ? null
      : { number: last.count, problem: "it is another record than is remembered" };
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
