import { ATTENTIONS } from "#shared/api";
import type { AnswerOf, ConsoleApi, GroupSort } from "#shared/api";
import { now } from "#shared/clock";
import { AbsentError } from "#shared/http";
import type { Store } from "#shared/store";
import type { CaseGroup, GroupMark } from "#shared/store/cases";
import type { CallOf, Handler } from "../../console.ts";
import { ChangedMeanwhileError } from "../../errors.ts";
import { hasGroup } from "../guards/confine-to-teams.ts";

/** A group as people see it in a list. */
type GroupView = AnswerOf<ConsoleApi["listGroups"]>["groups"][number];

/** Groups looked at for one list at most, those that messages came to last. */
const LOOKED_AT_MAX = 1000;

/** Returns a group with why it needs a person. */
export const judgeGroup = (group: CaseGroup): GroupView => ({ ...group, attention: attentionOf(group) });

type GroupQuery = CallOf<"listGroups">["query"];

/** Groups of cases with one fingerprint that meet every filter; by default the newest message's first. */
export const listGroups: Handler<"listGroups"> = async ({ console, query, caller: { teams } }) => {
  const { groups } = console.store.cases;
  const { sort, limit, offset, ...filter } = query;
  if (teams === null && sort === "last_seen" && Object.keys(filter).length === 0) {
    // As the store keeps them, so that none beside the page is looked at.
    const [total, found] = await Promise.all([groups.count(), groups.list({ offset, limit })]);
    return { groups: found.map(judgeGroup), total, is_cut: false };
  }
  const found = await groups.list({ offset: 0, limit: LOOKED_AT_MAX + 1 });
  const own = found.filter(({ fingerprint }) => teams === null || hasGroup(console, fingerprint));
  const wanted = own
    .slice(0, LOOKED_AT_MAX)
    .map(judgeGroup)
    .filter((group) => matches(group, query))
    .toSorted((one, other) => compare(weightOf(other, sort), weightOf(one, sort)));
  return {
    groups: wanted.slice(offset, offset + limit),
    total: wanted.length,
    is_cut: found.length > LOOKED_AT_MAX,
  };
};

/** A group with its recipes, what has been learned of it, and who did what with it. */
export const showGroup: Handler<"showGroup"> = async ({ console, params: { fingerprint } }) => {
  const [group, recipes, audit] = await Promise.all([
    findGroup(console.store, fingerprint),
    console.recipes.usedOf(fingerprint),
    console.store.cases.groups.audit(fingerprint),
  ]);
  return { ...group, recipes, audit };
};

/** Somebody looks after it, for good or until a time. */
export const acknowledgeGroup: Handler<"acknowledgeGroup"> = (call) => {
  const { until } = call.body;
  return mark(call, "acknowledged", { untilMs: until === undefined ? undefined : Date.parse(until) });
};

/** It is as if nobody had looked at it. */
export const reopenGroup: Handler<"reopenGroup"> = (call) => mark(call, "open");

/**
 * The cause is gone, says somebody. With `since`, from that version on: messages of older versions may still come,
 * one of that version or a later one makes it regressed. Without it, any message does.
 */
export const resolveGroup: Handler<"resolveGroup"> = (call) => {
  const [name, version] = call.body.since?.split("@") ?? [];
  return mark(call, "resolved", name === undefined ? {} : { since: { name, version: Number(version) } });
};

/** The audit is written with the change, in one script. With `version` only if nobody changed it since that one. */
async function mark(
  { console, params: { fingerprint }, body: { why, version }, caller }: CallOf<"acknowledgeGroup">,
  lifecycle: GroupMark["lifecycle"],
  more: Pick<GroupMark, "since" | "untilMs"> = {},
): ReturnType<Handler<"acknowledgeGroup">> {
  const { groups } = console.store.cases;
  const marked = await groups.mark(fingerprint, { lifecycle, by: caller.name, why, ...more, seen: version });
  const group = await groups.find(fingerprint);
  if (marked === "absent" || group === null) throw new AbsentError("group");
  if (marked !== "stale") return group;
  const [last] = await groups.audit(fingerprint);
  const by = group.lifecycle === "regressed" ? "a message that arrived" : (last?.by ?? null);
  throw new ChangedMeanwhileError({ what: "group", state: group.lifecycle, by });
}

/** @throws {AbsentError} */
export async function findGroup({ cases }: Store, fingerprint: string): Promise<GroupView> {
  const group = await cases.groups.find(fingerprint);
  if (group === null) throw new AbsentError("group");
  return judgeGroup(group);
}

function attentionOf(group: CaseGroup): GroupView["attention"] {
  const { lifecycle, open, quarantined, replays, acknowledged_until_ms: untilMs } = group;
  if (lifecycle === "regressed") return "regressed";
  if (open === 0) return "quiet";
  if (lifecycle === "acknowledged" && (untilMs === null || now() < untilMs)) return "looked_after";
  if (replays > 0) return "failing_again";
  return quarantined > 0 ? "waiting" : "in_treatment";
}

function matches(group: GroupView, { attention, lifecycle, text = "" }: GroupQuery): boolean {
  return (
    (attention ?? group.attention) === group.attention &&
    (lifecycle ?? group.lifecycle) === group.lifecycle &&
    `${group.fingerprint}\n${group.producer}`.toLowerCase().includes(text.toLowerCase())
  );
}

/** Of `need`: what needs a person most first; among equals, where most cases wait, then what came last. */
function weightOf(group: GroupView, sort: GroupSort): readonly number[] {
  const { attention, quarantined, open, last_seen_ms } = group;
  if (sort === "need") return [-ATTENTIONS.indexOf(attention), quarantined, open, last_seen_ms];
  return [group[sort === "last_seen" || sort === "first_seen" ? (`${sort}_ms` as const) : sort]];
}

/** Compares lists of numbers, the first that differ. */
function compare(one: readonly number[], other: readonly number[]): number {
  return one.map((number, at) => number - (other[at] ?? 0)).find((gap) => gap !== 0) ?? 0;
}
