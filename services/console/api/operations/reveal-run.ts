import { auditAction } from "../guards/audit-action.ts";
import type { Handler } from "../operation.ts";

const EVENTS_MAX = 1000;

/**
 * Shows what a run came to as its owner sees it: result, error and events; secrets stay masked. The record of what
 * people did and the audit have who looked, when and why before anything is shown.
 */
export const revealRun: Handler<"revealRun"> = async ({
  console: { store, reveals },
  params: { run_id },
  body: { why },
  caller,
}) => {
  reveals.take(caller.person ?? caller.name);
  const { team, status, result, error } = await store.runs.get(run_id);
  await auditAction(store, { by: caller.name, action: "run.reveal", why, detail: { run_id } });
  const events = await store.runs.events(run_id, { from: 0, limit: EVENTS_MAX });
  return { run_id, team, status, result, error, events };
};
