import { readAdmission } from "#shared/ward";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import { RUN_LIMITS } from "#shared/errors";
import type { RelayParts } from "./relay.ts";
import type { SoundEntry } from "./verify/verify-entry.ts";

/**
 * Returns the entry to deliver: the first message of a run that a limit stopped is quarantined, each further one
 * fails. In the shared profile the agent does this itself.
 */
export async function limitedEntry({ store }: RelayParts, entry: SoundEntry): Promise<SoundEntry> {
  const [own] = entry.changes;
  const [admission] = entry.admissions;
  if (own?.event.type !== "quarantined" || admission === undefined) return entry;
  const [failure] = readAdmission(admission).failures;
  if (failure === undefined || !RUN_LIMITS.includes(failure.failure_class)) return entry;
  const { runId, messageId, agent } = entry.held;
  const message = await store.runs.findMessage(runId, messageId);
  const isOpen = message?.agent === agent && message.state === "open";
  if (!isOpen || (await store.runs.isFirstAtLimit(runId, messageId))) return entry;
  // The end of a branch is not the end of its run: its join decides that.
  const ending: Pick<RunChange, "end" | "error"> = {
    end: "failed",
    error: { class: failure.failure_class, code: failure.code, message: failure.message },
  };
  const ended: RunChange = {
    ...own,
    event: {
      ...own.event,
      id: `${messageId}/ended`,
      type: "ended",
      detail: { ...own.event.detail, end: "failed" },
    },
    moves: { state: "closed", rank: rankOf.closed() },
    ...(message.branch === null ? ending : {}),
  };
  return { ...entry, changes: [ended], admissions: [] };
}
