import { z } from "zod";
import { now } from "#shared/clock";
import { FieldReader } from "../read-fields.ts";
import { sum } from "../store-part.ts";

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

/** Cases with one fingerprint, counted together. */
export const groupSchema = z.object({
  fingerprint: z.string(),
  /** Messages that ever arrived with this fingerprint. */
  count: z.int(),
  /** Cases that wait for the surgeon or a person. */
  open: z.int(),
  /** Of these, cases that wait for a person. */
  quarantined: z.int(),
  /** Cases whose repair or discard is proposed, and waits for a signature. */
  proposed: z.int(),
  first_seen_ms: z.number(),
  last_seen_ms: z.number(),
  /** Producer of its first message: agent, contract, model and prompt version, each `-` where there is none. */
  producer: z.string(),
  cause: z.array(z.string()).meta({
    description:
      "What its messages have in common, without values: `code place type` of each fault, or the error. Empty where it is not told.",
  }),
  lifecycle: z.enum(GROUP_LIFECYCLES),
  /** Rises with each change of the lifecycle; used for compare-and-set. From 1. */
  version: z.int(),
  /** Time of the last mark by a person, in ms since the epoch; null before the first. */
  marked_ms: z.number().nullable(),
  acknowledged_until_ms: z
    .number()
    .nullable()
    .meta({ description: "Until when somebody looks after it; null where that has no end, or nobody does." }),
  /** Its resolution. Null: it is not resolved. Only messages of `since` or later are a regression; null: any. */
  resolution: z
    .object({
      by: z.string(),
      at_ms: z.number(),
      since: z.object({ name: z.string(), version: z.int() }).nullable(),
    })
    .nullable(),
  /** The first message after the resolution: its producer and time; null if there is none. */
  regression: z.object({ producer: z.string(), at_ms: z.number() }).nullable(),
  /** Number of redrives: cases discharged or released. */
  sent_on: z.int(),
  /** Number of replays: redriven messages that came back dead, so the repair did not hold. */
  replays: z.int(),
  /** USD spent or reserved for its cases. */
  cost: z.number(),
  trend: z.array(z.number()).meta({ description: "Messages per hour, oldest first, the current hour last." }),
  /** No model is called before `until_ms`; null and "" if one may be. `waiting`: parked jobs. */
  rest: z
    .object({ until_ms: z.number().nullable(), why: z.string(), waiting: z.int() })
    .meta({ description: "What its cases wait for before the next model call." }),
});

export type CaseGroup = Readonly<z.output<typeof groupSchema>>;

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
    quarantined: total(({ quarantined }) => quarantined),
    proposed: total(({ proposed }) => proposed),
    first_seen_ms: first.first_seen_ms,
    producer: first.producer,
    cause: first.cause,
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
  { fields, rest }: { readonly fields: Readonly<Record<string, string>>; readonly rest: CaseGroup["rest"] },
): CaseGroup {
  const reader = new FieldReader(fields);
  const hour = Math.floor(now() / HOUR_MS);
  const trend = Array.from({ length: TREND_HOURS }, (_, i) =>
    reader.number(`t:${hour - TREND_HOURS + 1 + i}`),
  );
  const { marked_ms, regressed_ms, regressed_by: producer = "" } = fields;
  const [markedMs, regressedMs] = [reader.number("marked_ms"), reader.number("regressed_ms")];
  return {
    fingerprint,
    count: reader.number("count"),
    open: reader.number("open"),
    quarantined: reader.number("quarantined"),
    proposed: reader.number("proposed"),
    first_seen_ms: reader.number("first_seen_ms"),
    last_seen_ms: reader.number("last_seen_ms"),
    producer: fields["producer"] ?? "",
    /** Its cause, without values: kinds of faults, or the error. Empty: unknown. */
    // Written by the ward in this form.
    cause: (reader.json("cause", Array.isArray) ?? []) as string[],
    lifecycle: GROUP_LIFECYCLES.find((one) => one === fields["lifecycle"]) ?? "open",
    version: groupVersion(markedMs, regressedMs),
    marked_ms: marked_ms === undefined ? null : markedMs,
    acknowledged_until_ms: fields["until_ms"] === undefined ? null : reader.number("until_ms"),
    resolution: resolutionOf(fields),
    regression: regressed_ms === undefined ? null : { producer, at_ms: regressedMs },
    sent_on: reader.number("sent_on"),
    replays: reader.number("replays"),
    cost: reader.number("cost_micro") / MICRO,
    trend,
    rest,
  };
}

/** As in `group-lifecycle.lua`; a test compares the two. */
export function groupVersion(markedMs: number, regressedMs: number): number {
  return Math.max(1, markedMs, regressedMs);
}

function resolutionOf(fields: Readonly<Record<string, string>>): CaseGroup["resolution"] {
  const { resolved_ms, resolved_by = "", resolved_name: name, resolved_version } = fields;
  if (resolved_ms === undefined) return null;
  const since = name === undefined ? null : { name, version: Number(resolved_version) };
  return { by: resolved_by, at_ms: Number(resolved_ms), since };
}
