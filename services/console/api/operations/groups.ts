import type { GroupMark } from "#shared/store/cases";
import { AbsentError } from "#shared/http";
import type { Handler } from "../../console.ts";
import { ChangedMeanwhileError } from "../../errors.ts";
import { findGroupView, findGroupViews } from "../../ward/group-views.ts";
import { hasGroup } from "../guards/confine-to-teams.ts";

/** Groups of cases with one fingerprint that meet every filter; by default the newest message's first. */
export const listGroups: Handler<"listGroups"> = ({ console, query, caller: { teams } }) => {
  const { sort, limit, offset, ...filter } = query;
  const isOwn = teams === null ? undefined : (fingerprint: string) => hasGroup(console, fingerprint);
  return findGroupViews(console, { sort, filter, isOwn, limit, offset });
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

/** Somebody looks after it. */
export const acknowledgeGroup: Handler<"acknowledgeGroup"> = (call) => mark(call, "acknowledged");

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
  { console, params: { fingerprint }, body: { why, version }, caller }: MarkCall,
  lifecycle: GroupMark["lifecycle"],
  more: Pick<GroupMark, "since"> = {},
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

type MarkCall = Pick<Parameters<Handler<"acknowledgeGroup">>[0], "console" | "params" | "body" | "caller">;
