import { now } from "#shared/clock";
import { FieldReader } from "../read-fields.ts";
import { sum } from "../store-part.ts";
import type { GroupRest } from "./model-slots.ts";

/**
 * Lifecycle of a group.
 * - `open`: entered with the first message.
 * - `acknowledged`: a person is working on it.
 * - `resolved`: a person declared the cause fixed.
 * - `regressed`: entered when a message arrives after that.
 *
 * Kept as long as the group has a case.
 */
export const GROUP_LIFECYCLES = ["open", "acknowledged", "resolved", "regressed"] as const;

export type GroupLifecycle = (typeof GROUP_LIFECYCLES)[number];

export type CaseGroup = Readonly<ReturnType<typeof toGroup>>;

/**
 * Who resolved a group. With `since`, only messages of that version or later count as a regression; null: any message
 * does.
 */
export interface Resolution {
  readonly by: string;
  readonly at_ms: number;
  readonly since: { readonly name: string; readonly version: number } | null;
}

/** Hours of trend kept for a group. */
export const TREND_HOURS = 48;

const HOUR_MS = 3_600_000;
const MICRO = 1_000_000;

/** Returns the whole of a group: its counts in all shards, and its lifecycle where it changed last. */
export function addUp(each: readonly (CaseGroup | null)[]): CaseGroup | null {
  const parts = each.filter((part) => part !== null);
  const byArrival = parts.toSorted((a, b) => a.first_seen_ms - b.first_seen_ms);
  const [first] = byArrival;
  if (first === undefined || parts.length === 1) return first ?? null;
  const changed = parts.toSorted((a, b) => b.version - a.version)[0] ?? first;
  const told = parts.find(({ lifecycle }) => lifecycle === "regressed") ?? changed;
  const total = (read: (part: CaseGroup) => number): number => sum(parts.map(read));
  const mayCall = parts.find(({ rest }) => rest.until_ms === null)?.rest;
  const resting =
    mayCall ?? parts.toSorted((a, b) => (a.rest.until_ms ?? 0) - (b.rest.until_ms ?? 0))[0]?.rest;
  return {
    ...told,
    version: changed.version,
    count: total(({ count }) => count),
    open: total(({ open }) => open),
    first_seen_ms: first.first_seen_ms,
    producer: first.producer,
    last_seen_ms: Math.max(...parts.map(({ last_seen_ms }) => last_seen_ms)),
    sent_on: total(({ sent_on }) => sent_on),
    replays: total(({ replays }) => replays),
    cost: total(({ cost }) => cost),
    trend: first.trend.map((_, hour) => total(({ trend }) => trend[hour] ?? 0)),
    rest: {
      until_ms: resting?.until_ms ?? null,
      why: resting?.why ?? "",
      waiting: total(({ rest }) => rest.waiting),
    },
  };
}

/** Parses a group's hash. */
export function toGroup(
  fingerprint: string,
  { fields, rest }: { readonly fields: Readonly<Record<string, string>>; readonly rest: GroupRest },
) {
  const reader = new FieldReader(fields);
  const hour = Math.floor(now() / HOUR_MS);
  const trend = Array.from({ length: TREND_HOURS }, (_, i) =>
    reader.number(`t:${hour - TREND_HOURS + 1 + i}`),
  );
  const { marked_ms, regressed_ms, regressed_by: producer = "" } = fields;
  const [markedMs, regressedMs] = [reader.number("marked_ms"), reader.number("regressed_ms")];
  return {
    fingerprint,
    /** Messages that ever arrived with this fingerprint. */
    count: reader.number("count"),
    /** Cases that wait for the surgeon or a person. */
    open: reader.number("open"),
    first_seen_ms: reader.number("first_seen_ms"),
    last_seen_ms: reader.number("last_seen_ms"),
    /** Producer of its first message: agent, contract, model and prompt version, each `-` where there is none. */
    producer: fields["producer"] ?? "",
    lifecycle: GROUP_LIFECYCLES.find((one) => one === fields["lifecycle"]) ?? "open",
    /** Rises with each change of the lifecycle; used for compare-and-set. From 1. */
    version: groupVersion(markedMs, regressedMs),
    /** Time of the last mark by a person, in ms since the epoch; null before the first. */
    marked_ms: marked_ms === undefined ? null : markedMs,
    /** Set while the group is resolved or regressed; null otherwise. */
    resolution: resolutionOf(fields),
    /** The first message after the resolution: its producer and time; null if there is none. */
    regression: regressed_ms === undefined ? null : { producer, at_ms: regressedMs },
    /** Number of redrives: cases discharged or released. */
    sent_on: reader.number("sent_on"),
    /** Number of replays: redriven messages that came back dead, so the repair did not hold. */
    replays: reader.number("replays"),
    /** USD spent or reserved for its cases. */
    cost: reader.number("cost_micro") / MICRO,
    /** Messages per hour, oldest first, the current hour last. */
    trend,
    /** What its cases wait for before the next model call. */
    rest,
  };
}

/** As in `group-lifecycle.lua`; a test compares the two. */
export function groupVersion(markedMs: number, regressedMs: number): number {
  return Math.max(1, markedMs, regressedMs);
}

function resolutionOf(fields: Readonly<Record<string, string>>): Resolution | null {
  const { resolved_ms, resolved_by = "", resolved_name: name, resolved_version } = fields;
  if (resolved_ms === undefined) return null;
  const since = name === undefined ? null : { name, version: Number(resolved_version) };
  return { by: resolved_by, at_ms: Number(resolved_ms), since };
}
