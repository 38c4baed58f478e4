import type { GroupMark } from "#shared/store/cases";
import { AbsentError } from "#shared/http";
import type { Console, Handler } from "../../console.ts";
import { ChangedMeanwhileError } from "../../errors.ts";
import { findGroupView, findGroupViews } from "../../ward/group-views.ts";
import { hasGroup } from "../guards/confine-to-teams.ts";

/**
 * Groups of cases with one fingerprint that meet every filter; by default the one that a message came to last first.
 */
export const listGroups: Handler<"listGroups"> = ({
  console,
  query: { sort, limit, offset, ...filter },
  caller: { teams },
}) => {
  const isOwn = teams === null ? undefined : (fingerprint: string) => hasGroup(console, fingerprint);
  return findGroupViews(console, { sort, filter, isOwn, limit, offset });
};

/** A group with its recipes, what has been learned of it, and who did what with it. */
export const showGroup: Handler<"showGroup"> = async ({ console, params: { fingerprint } }) => {
  const { store } = console;
  const [group, recipes, audit] = await Promise.all([
    findGroupView(console, fingerprint),
    console.recipes.usedOf(fingerprint),
    store.cases.groups.audit(fingerprint),
  ]);
  if (group === null) throw new AbsentError("group");
  return { ...group, recipes, audit };
};

/** Somebody looks after it. */
export const acknowledgeGroup = mark("acknowledged");

/** It is as if nobody had looked at it. */
export const reopenGroup = mark("open");

/**
 * The cause is gone, says somebody. With `since`, from that version on: messages of older versions may still come,
 * one of that version or a later one makes it regressed. Without it, any message does.
 */
export const resolveGroup: Handler<"resolveGroup"> = ({
  console,
  params: { fingerprint },
  body: { why, since, version },
  caller,
}) => {
  const at = since?.lastIndexOf("@") ?? -1;
  const from =
    since === undefined ? {} : { since: { name: since.slice(0, at), version: Number(since.slice(at + 1)) } };
  const seen = version === undefined ? {} : { seen: version };
  return carryOut(console, fingerprint, { lifecycle: "resolved", by: caller.name, why, ...from, ...seen });
};

function mark(lifecycle: "acknowledged" | "open"): Handler<"acknowledgeGroup"> {
  return ({ console, params: { fingerprint }, body: { why, version }, caller }) => {
    const seen = version === undefined ? {} : { seen: version };
    return carryOut(console, fingerprint, { lifecycle, by: caller.name, why, ...seen });
  };
}

/** The audit is written with the change, in one script. */
async function carryOut(
  { store }: Console,
  fingerprint: string,
  change: GroupMark,
): Promise<Awaited<ReturnType<Handler<"acknowledgeGroup">>>> {
  const { groups } = store.cases;
  const marked = await groups.mark(fingerprint, change);
  const group = await groups.find(fingerprint);
  if (marked === "absent" || group === null) throw new AbsentError("group");
  if (marked === "stale") {
    const by = (await groups.audit(fingerprint))[0]?.by ?? null;
    const isMessage = group.lifecycle === "regressed";
    throw new ChangedMeanwhileError({
      what: "group",
      state: group.lifecycle,
      by: isMessage ? "a message that arrived" : by,
    });
  }
  return group;
}
