import { maskForTeam, NO_MASK } from "#shared/masking";
import type { RunMask } from "#shared/masking";
import { ForbiddenError } from "#shared/http";
import { NotFoundError } from "#shared/store";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import type { Gateway } from "../gateway.ts";
import { SUBMITTERS } from "#shared/api";
import type { SeenRun } from "#shared/api";
import { isStaff, maySee, teamsFor } from "./may-see.ts";
import type { Caller } from "./may-see.ts";

/**
 * Returns true if a caller sees a run's values as they are: clients of its tenant, which sent them, do, and the key
 * that began it. Keys that only read, and staff, see them masked; staff may reveal them in the console.
 */
function ownsRun(caller: Caller, { tenant, submitted_by: by }: RunRecord): boolean {
  if (caller === null || caller.tenant !== tenant) return false;
  return caller.scope === "submit" || (by !== undefined && caller.name === by);
}

/** Returns the mask of a run for a caller. */
export function maskFor({ teams }: Pick<Gateway, "teams">, caller: Caller, run: RunRecord): RunMask {
  return ownsRun(caller, run) ? NO_MASK : maskForTeam(teams.find(({ name }) => name === run.team));
}

/**
 * Returns a run as the caller may see it, masked where it is not theirs; a hidden one is absent. The only way to runs.
 * @throws {NotFoundError} {NotReplicatedError} It has ended, and replicas do not have that yet.
 */
export async function findRun(gateway: Gateway, caller: Caller, runId: string): Promise<RunRecord> {
  const found = await gateway.store.runs.findConfirmed(runId);
  if (found === null || !maySee(caller, found)) throw new NotFoundError("run", runId);
  return maskFor(gateway, caller, found).record(found);
}

/** The log of one run is no longer than this; see the journal's own bound. */
const EVENTS_MAX = 5000;

/** Returns all events of a run as the caller may see them, in order. */
export async function eventsOf(gateway: Gateway, caller: Caller, run: RunRecord): Promise<RunEvent[]> {
  const { event } = maskFor(gateway, caller, run);
  const events = await gateway.store.runs.eventsConfirmed(run.run_id, { from: 0, limit: EVENTS_MAX });
  return events.map(event);
}

/** Returns a page of a run's events as the caller may see them. */
export async function eventsPage(
  gateway: Gateway,
  caller: Caller,
  page: { readonly run: RunRecord; readonly from: number; readonly limit: number },
): Promise<RunEvent[]> {
  const { run, from, limit } = page;
  const { event } = maskFor(gateway, caller, run);
  return (await gateway.store.runs.eventsConfirmed(run.run_id, { from, limit })).map(event);
}

/** Returns a run with what its steps are shown by. @throws {NotFoundError} */
export async function seenRun(gateway: Gateway, caller: Caller, runId: string): Promise<SeenRun> {
  const run = await findRun(gateway, caller, runId);
  return {
    store: gateway.store.ofRun(runId),
    run,
    events: await eventsOf(gateway, caller, run),
    mask: maskFor(gateway, caller, run),
    seesInstructions: isStaff(caller),
  };
}

/** Refuses files to keys that only read where any of their teams marks personal data. @throws {ForbiddenError} */
export function requireFiles(gateway: Gateway, caller: Caller): void {
  const scope = caller?.scope ?? "viewer";
  if (SUBMITTERS.includes(scope)) return;
  if (teamsFor(gateway, caller).some((team) => !maskForTeam(team).isClear))
    throw new ForbiddenError(scope, SUBMITTERS, caller?.name ?? "");
}
