import type { Operation } from "rfc6902";
import { below, canonical, isObject } from "#shared/schema";
import type { JsonObject, JsonValue, Leaf, Places } from "#shared/schema";
import type { Account, Clause } from "./account.ts";
import type { ProofInput, ProvenanceEntry } from "./proof.ts";
import type { TwoReadings } from "./second-reading.ts";
import type { Originals } from "./sources.ts";

/** Returns RFC 6902 operations from one value to another, in linear time (a minimal diff would be quadratic). */
export function diffValues(from: JsonValue, to: JsonValue): Operation[] {
  const operations: Operation[] = [];
  diffInto(operations, { from, to, path: "" });
  return operations;
}

interface Pair<Value extends JsonValue> {
  readonly from: Value;
  readonly to: Value;
  readonly path: string;
}

function diffInto(operations: Operation[], { from, to, path }: Pair<JsonValue>): void {
  if (from === to) return;
  if (Array.isArray(from) && Array.isArray(to)) diffLists(operations, { from, to, path });
  else if (isObject(from) && isObject(to)) diffObjects(operations, { from, to, path });
  else operations.push({ op: "replace", path, value: to });
}

function diffObjects(operations: Operation[], { from, to, path }: Pair<JsonObject>): void {
  const has = (one: JsonObject, key: string): boolean => Object.hasOwn(one, key) && one[key] !== undefined;
  for (const key of Object.keys(from))
    if (!has(to, key) && has(from, key)) operations.push({ op: "remove", path: below(path, key) });
  for (const key of Object.keys(to))
    if (!has(from, key) && has(to, key))
      operations.push({ op: "add", path: below(path, key), value: to[key] });
  for (const key of Object.keys(from)) {
    const [before, after] = [from[key], has(to, key) ? to[key] : undefined];
    if (before !== undefined && after !== undefined)
      diffInto(operations, { from: before, to: after, path: below(path, key) });
  }
}

function diffLists(operations: Operation[], { from, to, path }: Pair<JsonValue[]>): void {
  const shift = to.length - from.length;
  const [first, last] = shift === 0 ? [0, from.length] : unlike(from, to);
  const both = Math.min(last, last + shift);
  for (let at = first; at < both; at += 1)
    diffInto(operations, { from: from[at] ?? null, to: to[at] ?? null, path: below(path, at) });
  for (let at = last - 1; at >= both; at -= 1) operations.push({ op: "remove", path: below(path, at) });
  for (let at = both; at < last + shift; at += 1)
    operations.push({ op: "add", path: below(path, at), value: to[at] ?? null });
}

/** The range in which two lists differ. */
function unlike(from: readonly JsonValue[], to: readonly JsonValue[]): [first: number, last: number] {
  const [before, after] = [from.map(canonical), to.map(canonical)];
  const shorter = Math.min(from.length, to.length);
  let first = 0;
  while (first < shorter && before[first] === after[first]) first += 1;
  let same = 0;
  while (same < shorter - first && before[from.length - 1 - same] === after[to.length - 1 - same]) same += 1;
  return [first, from.length - same];
}

/** The values that an original's text can be read as. */
export interface Readings {
  /** Cheapest first; before them the lines of names and values that a text without brackets may be. */
  readonly all: readonly JsonValue[];
  readonly cheapest: JsonValue | undefined;
  /** The steps of the cheapest. */
  readonly steps: readonly string[];
}

/** A repair beside its original, as the rules about loss and addition read them. */
export interface Compared {
  readonly input: ProofInput;
  readonly original: JsonValue | undefined;
  readonly originals: Originals;
  readonly readings: Readings;
  /** Leaves of the repair, and where each comes from. */
  readonly leaves: readonly Leaf[];
  readonly kinds: readonly ProvenanceEntry["kind"][];
  /** The contract at the repair's paths, and at the original's. */
  readonly places: Places;
  readonly before: Places;
  readonly byModel: TwoReadings;
}

/** The words of a message that are in the repair. */
export interface Told {
  readonly account: Account;
  /** Returns true for a clause from which readers agree to have taken a value. */
  readonly isQuoted: (clause: Clause) => boolean;
}

/** Returns true for a value that says something. */
export function isFact(value: JsonValue): boolean {
  return value !== null && typeof value !== "object" && value !== "";
}
