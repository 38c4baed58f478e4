import { ATTENTIONS } from "#shared/api";
import type { AnswerOf, ConsoleApi, GroupSort } from "#shared/api";
import { now } from "#shared/clock";
import { AbsentError } from "#shared/http";
import type { CaseGroup, GroupMark, RecipeState } from "#shared/store/cases";
import type { CallOf, Console, Handler } from "../../console.ts";
import { ChangedMeanwhileError } from "../../errors.ts";
import { hasGroup } from "../guards/confine-to-teams.ts";

/** A group as people see it in a list. */
type GroupView = AnswerOf<ConsoleApi["listGroups"]>["groups"][number];

/** Groups looked at for one list at most, those that messages came to last. */
const LOOKED_AT_MAX = 1000;

/** From the one that is believed most. */
const BELIEVED: readonly RecipeState[] = ["trusted", "trial", "proposed", "retired"];

type GroupsWard = Pick<Console, "store" | "recipes">;

type Judged = Omit<GroupView, "recipe">;

const judge = (group: CaseGroup): Judged => ({ ...group, attention: attentionOf(group) });

type GroupQuery = CallOf<"listGroups">["query"];

/** Groups of cases with one fingerprint that meet every filter; by default the newest message's first. */
export const listGroups: Handler<"listGroups"> = async ({ console, query, caller: { teams } }) => {
  const { groups } = console.store.cases;
  const { sort, limit, offset, ...filter } = query;
  if (teams === null && sort === "last_seen" && Object.keys(filter).length === 0) {
    // As the store keeps them, so that none beside the page is looked at.
    const [total, found] = await Promise.all([groups.count(), groups.list({ offset, limit })]);
    return { groups: await withRecipes(console, found.map(judge)), total, is_cut: false };
  }
  const found = await groups.list({ offset: 0, limit: LOOKED_AT_MAX + 1 });
  const own = found.filter(({ fingerprint }) => teams === null || hasGroup(console, fingerprint));
  const wanted = own
    .slice(0, LOOKED_AT_MAX)
    .map(judge)
    .filter((group) => matches(group, query))
    .toSorted((one, other) => compare(weightOf(other, sort), weightOf(one, sort)));
  const page = await withRecipes(console, wanted.slice(offset, offset + limit));
  return { groups: page, total: wanted.length, is_cut: found.length > LOOKED_AT_MAX };
};

/** A group with its recipes, what has been learned of it, and who did what with it. */
export const showGroup: Handler<"showGroup"> = async ({ console, params: { fingerprint } }) => {
  const [group, recipes, audit] = await Promise.all([
    findGroupView(console, fingerprint),
    console.recipes.usedOf(fingerprint),
    console.store.cases.groups.audit(fingerprint),
  ]);
  if (group === null) throw new AbsentError("group");
  return { ...group, recipes, audit };
};

/** Somebody looks after it, for good or until a time. */
export const acknowledgeGroup: Handler<"acknowledgeGroup"> = (call) => {
  const { until } = call.body;
  return mark(call, "acknowledged", until === undefined ? {} : { untilMs: Date.parse(until) });
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
  const seen = version === undefined ? {} : { seen: version };
  const marked = await groups.mark(fingerprint, { lifecycle, by: caller.name, why, ...more, ...seen });
  const group = await groups.find(fingerprint);
  if (marked === "absent" || group === null) throw new AbsentError("group");
  if (marked !== "stale") return group;
  const [last] = await groups.audit(fingerprint);
  const by = group.lifecycle === "regressed" ? "a message that arrived" : (last?.by ?? null);
  throw new ChangedMeanwhileError({ what: "group", state: group.lifecycle, by });
}

/** One group; null where there is none. */
export async function findGroupView(ward: GroupsWard, fingerprint: string): Promise<GroupView | null> {
  const group = await ward.store.cases.groups.find(fingerprint);
  const [view = null] = await withRecipes(ward, group === null ? [] : [judge(group)]);
  return view;
}

function attentionOf(group: CaseGroup): GroupView["attention"] {
  const { lifecycle, open, quarantined, replays, acknowledged_until_ms: untilMs } = group;
  if (lifecycle === "regressed") return "regressed";
  if (open === 0) return "quiet";
  if (lifecycle === "acknowledged" && (untilMs === null || now() < untilMs)) return "looked_after";
  if (replays > 0) return "failing_again";
  return quarantined > 0 ? "waiting" : "in_treatment";
}

/** Adds to each group its recipe that is believed most. */
function withRecipes({ recipes }: GroupsWard, groups: readonly Judged[]): Promise<GroupView[]> {
  return Promise.all(
    groups.map(async (group) => {
      const found = await recipes.of(group.fingerprint);
      const [best] = found.toSorted((a, b) => BELIEVED.indexOf(a.state) - BELIEVED.indexOf(b.state));
      return {
        ...group,
        recipe: best === undefined ? null : { recipe_id: best.recipe_id, state: best.state },
      };
    }),
  );
}

function matches(group: Judged, { attention, lifecycle, text = "" }: GroupQuery): boolean {
  return (
    (attention ?? group.attention) === group.attention &&
    (lifecycle ?? group.lifecycle) === group.lifecycle &&
    `${group.fingerprint}\n${group.producer}`.toLowerCase().includes(text.toLowerCase())
  );
}

/** Of `need`: what needs a person most first; among equals, where most cases wait, then what came last. */
function weightOf(group: Judged, sort: GroupSort): readonly number[] {
  const { attention, quarantined, open, last_seen_ms } = group;
  if (sort === "need") return [-ATTENTIONS.indexOf(attention), quarantined, open, last_seen_ms];
  return [group[sort === "last_seen" || sort === "first_seen" ? (`${sort}_ms` as const) : sort]];
}

/** Compares lists of numbers, the first that differ. */
function compare(one: readonly number[], other: readonly number[]): number {
  return one.map((number, at) => number - (other[at] ?? 0)).find((gap) => gap !== 0) ?? 0;
}
