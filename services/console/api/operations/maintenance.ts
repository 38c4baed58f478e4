import { now, timestamp } from "#shared/clock";
import { orderIntake, readIntake } from "#shared/people";
import type { ListedEffect, Restore } from "#shared/store/people";
import { taskKey } from "#shared/store/shards";
import { auditAction } from "../../audit/audit-changes.ts";
import type { CallOf, Console, Handler } from "../../console.ts";
import { RestoreRefusedError } from "../../errors.ts";

export const showMaintenance: Handler<"showMaintenance"> = ({ console }) => view(console);

export const closeIntake: Handler<"closeIntake"> = (call) => switchIntake(call, true);

export const openIntake: Handler<"openIntake"> = (call) => switchIntake(call, false);

async function switchIntake(
  { console, caller, body: { why } }: CallOf<"closeIntake">,
  isClosed: boolean,
): ReturnType<Handler<"closeIntake">> {
  const by = caller.name;
  await auditAction(console.store, { by, action: isClosed ? "intake.close" : "intake.open", why });
  await orderIntake(console.store, { is_closed: isClosed, by });
  return view(console);
}

/** Agents that are at work already may have repeated effects, so that they have to be stopped first. */
export const beginRestore: Handler<"beginRestore"> = async ({ console, caller, body }) => {
  const { store } = console;
  const snapshotMs = Date.parse(body.snapshot_at);
  if (snapshotMs > now()) throw new RestoreRefusedError("the snapshot lies in the future");
  const atWork = (await store.registry.live()).filter(({ state }) => state !== "held");
  if (atWork.length > 0) throw new RestoreRefusedError(`${atWork.length} agents are at work`);
  await store.restores.refresh();
  if (store.restores.isHeld) throw new RestoreRefusedError("agents are held already");
  await auditAction(store, { by: caller.name, action: "restore.begin", why: body.why });
  const begun = { snapshot_ms: snapshotMs, begun_ms: now(), ended_ms: null, unlisted: "ask" } as const;
  await store.restores.write({ ...begun, by: caller.name });
  return view(console);
};

export const listRestored: Handler<"listRestored"> = async ({ console, body: { done } }) => {
  const { restores } = console.store;
  await restores.refresh();
  // Also after its end: a person may find out later what became of an effect.
  if (restores.last === null) throw new RestoreRefusedError("no restore has begun");
  await restores.list({
    effects: new Map(done.flatMap((one) => ("effect" in one ? [[one.effect, outcomeOf(one)]] : []))),
    tasks: new Map(
      done.flatMap((one) =>
        "task" in one ? [[taskKey({ caller: one.by, key: one.task }), one.run_id]] : [],
      ),
    ),
  });
  return view(console);
};

function outcomeOf({ done, value }: { readonly done?: boolean; readonly value?: unknown }): ListedEffect {
  if (done === false) return { kind: "undone", at_ms: now() };
  return value === undefined ? { kind: "ask" } : { kind: "done", value: JSON.stringify(value) };
}

export const endRestore: Handler<"endRestore"> = async ({ console, caller, body: { unlisted, why } }) => {
  const restore = await heldRestore(console);
  await auditAction(console.store, { by: caller.name, action: "restore.end", why, detail: { unlisted } });
  await console.store.restores.write({ ...restore, ended_ms: now(), unlisted, by: caller.name });
  return view(console);
};

async function heldRestore({ store }: Console): Promise<Restore> {
  await store.restores.refresh();
  const { last, isHeld } = store.restores;
  if (last === null || !isHeld) throw new RestoreRefusedError("no restore is under way");
  return last;
}

async function view({ store }: Console): ReturnType<Handler<"showMaintenance">> {
  const [intake, counts, listed] = await Promise.all([
    readIntake(store),
    store.runs.counts(),
    store.restores.countListed(),
    store.restores.refresh(),
  ]);
  const { last } = store.restores;
  const { queued, running, in_ward, quarantined } = counts;
  return {
    intake: {
      is_closed: intake?.is_closed === true || store.restores.isHeld,
      by: intake?.by ?? "",
      since: intake === null ? null : timestamp(intake.at_ms),
    },
    restore:
      last === null
        ? null
        : {
            snapshot_at: timestamp(last.snapshot_ms),
            begun_at: timestamp(last.begun_ms),
            ended_at: last.ended_ms === null ? null : timestamp(last.ended_ms),
            unlisted: last.unlisted,
            listed,
            by: last.by,
          },
    waiting: { queued, running, in_ward, quarantined },
  };
}
