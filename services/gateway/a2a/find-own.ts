import { NotFoundError } from "#shared/store";
import type { RunRecord } from "#shared/store/runs";
import { findRun } from "../tenancy/see-run.ts";
import type { TeamCall } from "./team-call.ts";

/** Returns a task of the call's team. One of another team is not at this address. @throws {NotFoundError} */
export async function findOwn({ gateway, caller, team }: TeamCall, id: string): Promise<RunRecord> {
  const record = await findRun(gateway, caller, id);
  if (record.team !== team.name) throw new NotFoundError("run", id);
  return record;
}
