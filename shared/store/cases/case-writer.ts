import { now } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { WARD_QUEUE } from "../keys.ts";
import type { RedisClient } from "../script.ts";
import { writeCase } from "../scripts/cases.ts";
import { toMayFinish, touchedByFinish } from "../scripts/queues.ts";
import { touchedBy } from "../scripts/effects.ts";
import type { EffectsCall } from "../scripts/effects.ts";
import type { Decision } from "../settlement/settlement.ts";
import { TREND_HOURS } from "./case-groups.ts";
import type { CaseWrite, CaseWritten } from "./case-record.ts";

const HOUR_MS = 3_600_000;
const CASE_AUDIT_LENGTH_MAX = 200;
const PRODUCERS_MAX = 10_000;

interface WriterParts {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly auditLength: number;
}

/** Writes changes of cases, each in one script with its effects. */
export class CaseWriter {
  private readonly parts: WriterParts;

  constructor(parts: WriterParts) {
    this.parts = parts;
  }

  /** Returns a change of a case as a decision for a settlement. */
  decide(change: CaseWrite): Decision<CaseWritten> {
    return {
      effects: change.effects,
      write: (effects) => this.write(change, effects),
    };
  }

  private async write(change: CaseWrite, effects: EffectsCall): Promise<CaseWritten> {
    const ticket = change.endsJob === true ? change.fence?.ticket : undefined;
    const finishing = ticket?.toCall() ?? null;
    const written = await writeCase.run(this.parts.redis, {
      touches: [...touchedBy(effects), ...touchedByFinish(finishing)],
      ...this.toCall(change),
      ...toMayFinish(finishing),
      ...effects,
    });
    if (written.kind !== "written") return written;
    const { kind, version, finished } = written;
    if (finished !== null) ticket?.used(finished);
    return { kind, version };
  }

  private toCall(change: CaseWrite) {
    const { keys } = this.parts;
    const { caseId, arrival, audit, fence } = change;
    const nowMs = now();
    const ownKey = keys.ward(`case:${caseId}`);
    return {
      case: ownKey,
      audit: keys.ward(`audit:${caseId}`),
      wardAudit: keys.ward("audit"),
      caseCounts: keys.ward("counts"),
      jobLock: fence === undefined ? ownKey : keys.lock(WARD_QUEUE, fence.jobId),
      caseId,
      expectedVersion: change.expectedVersion,
      wardBase: keys.ward(""),
      nowMs,
      status: change.status,
      fingerprint: change.fingerprint,
      token: fence?.token ?? null,
      hour: Math.floor(nowMs / HOUR_MS),
      auditEntry: audit === null ? null : JSON.stringify(audit),
      caseAuditLength: CASE_AUDIT_LENGTH_MAX,
      auditLength: this.parts.auditLength,
      trendHours: TREND_HOURS,
      producersMax: PRODUCERS_MAX,
      recipeId: change.recipeId ?? null,
      arrival: arrival === undefined ? null : { ...arrival, parties: arrival.parties.map(toParty) },
      removes: change.removes ?? [],
      sets: change.sets,
    };
  }
}

function toParty([name, version]: readonly [name: string, version: number]) {
  return { name, version };
}
