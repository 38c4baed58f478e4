import { readEnvelope } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import { concealIn, hasSensitive } from "#shared/masking";
import type { Team } from "#shared/runtime";
import type { JsonValue } from "#shared/schema";
import type { Role } from "../api/guards/role.ts";

/** Replaces a user's own words, for which no contract marks what is personal. */
const HIDDEN = "[not shown]";

/**
 * Returns an answer of the board as a role may see it. Viewers get no jobs at all. Others see a message's metadata and
 * its payload with marked values masked, wherever else in the job they stand; never its conversation.
 */
export function showJobs(answer: unknown, role: Role, teams: readonly Team[]): unknown {
  if (Array.isArray(answer)) return answer.map((item: unknown) => showJobs(item, role, teams));
  if (typeof answer !== "object" || answer === null) return answer;
  if (Object.hasOwn(answer, "data")) return role === "viewer" ? {} : showJob({ ...answer }, teams);
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]: [string, unknown]) => [
      key,
      key === "jobs" && role === "viewer" ? [] : showJobs(value, role, teams),
    ]),
  );
}

function showJob(job: Readonly<Record<string, unknown>>, teams: readonly Team[]): unknown {
  const { data } = job;
  if (typeof data !== "object" || data === null || !("sealed" in data)) return job;
  const envelope = envelopeOf(data);
  if (envelope === null) return { ...job, ...HIDDEN_WORDS, data: { ...data, sealed: HIDDEN } };
  const { meta, data_payload, billing, task_context } = envelope;
  const schema = teams
    .map((team) => team.contracts.find(meta.contract)?.jsonSchema)
    .find((one) => one !== undefined);
  // The envelope was parsed from JSON text.
  const payload = data_payload as JsonValue;
  const shown = { meta, billing, task_context, user_context: HIDDEN, conversation: HIDDEN };
  // Without its contract a payload may hold anything.
  if (schema === undefined)
    return { ...job, ...HIDDEN_WORDS, data: { ...data, sealed: { ...shown, data_payload: HIDDEN } } };
  if (!hasSensitive(schema)) return { ...job, data: { ...data, sealed: { ...shown, data_payload } } };
  const { payload: masked, elsewhere } = concealIn(payload, schema);
  const { failedReason, stacktrace, returnValue, progress } = job;
  const words = elsewhere({ failedReason, stacktrace, returnValue, progress });
  return { ...job, ...toRecord(words), data: { ...data, sealed: { ...shown, data_payload: masked } } };
}

/** Errors may quote the payload. */
const HIDDEN_WORDS = { failedReason: HIDDEN, stacktrace: [], returnValue: HIDDEN, progress: HIDDEN };

function toRecord(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

/** Null for what is compressed, and for what is no envelope. */
function envelopeOf(data: object): Envelope | null {
  if ("encoding" in data || !("sealed" in data) || typeof data.sealed !== "string") return null;
  try {
    return readEnvelope(data.sealed);
  } catch {
    return null;
  }
}
