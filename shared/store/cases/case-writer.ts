import { now } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { WARD_QUEUE } from "../keys.ts";
import type { OutboxEntry } from "../settlement/effects.ts";
import type { Decision, Motion } from "../settlement/settlement.ts";
import { TICKET_ARGUMENTS } from "../queues/finish-ticket.ts";
import { PLAIN_OPTIONS } from "../queues/handoff-queues.ts";
import { Script } from "../script.ts";
import type { RedisClient, ScriptReply } from "../script.ts";
import { TREND_HOURS } from "./case-groups.ts";
import type { CaseWrite, CaseWritten } from "./case-record.ts";

const writeCase = new Script("write-case.lua", ["push-audit.lua", "apply-case.lua"]);
const writeCaseTogether = new Script("write-case-together.lua", [
  "take-next.lua",
  "finish-plain.lua",
  "add-plain.lua",
  "apply-to-runs.lua",
  "push-audit.lua",
  "apply-case.lua",
]);

const HOUR_MS = 3_600_000;
const CASE_AUDIT_LENGTH_MAX = 200;
const PRODUCERS_MAX = 10_000;

const NO_TICKET = Array.from({ length: TICKET_ARGUMENTS }, () => "");

interface WriterParts {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly auditLength: number;
}

/** Writes changes of cases, each in one script: with its effects, or with an entry of the ward's outbox. */
export class CaseWriter {
  private readonly parts: WriterParts;

  constructor(parts: WriterParts) {
    this.parts = parts;
  }

  /** A change of a case as a settlement writes it. */
  decide(change: CaseWrite): Decision<CaseWritten> {
    return {
      slot: WARD_QUEUE,
      entry: change.outbox,
      together: (motion) => this.writeTogether(change, motion),
      withEntry: () => this.write(change),
      stands: ({ kind }) => kind === "written",
      crashPoints: ["W12:after_discharge_before_send", "W12:after_send_before_outbox_clear"],
    };
  }

  private async write(change: CaseWrite): Promise<CaseWritten> {
    const reply = await writeCase.run(this.parts.redis, {
      keys: this.keysOf(change),
      args: this.argumentsOf(change, change.outbox),
    });
    return toWritten(reply);
  }

  private async writeTogether(change: CaseWrite, motion: Motion): Promise<CaseWritten> {
    const ticket = change.endsJob === true ? change.fence?.ticket : undefined;
    const reply = await writeCaseTogether.run(this.parts.redis, {
      keys: [...this.keysOf(change), ...motion.runKeys],
      args: [
        ...this.argumentsOf(change, null),
        PLAIN_OPTIONS,
        ...(ticket?.toArguments() ?? NO_TICKET),
        motion.jobs.length,
        ...motion.jobs.flatMap(({ base, jobId, data, head }) => [base, jobId, data, head]),
        ...motion.runArguments,
      ],
    });
    const finished = Array.isArray(reply) ? reply[2] : undefined;
    if (finished !== undefined && finished !== null) ticket?.used(finished);
    return toWritten(reply);
  }

  private keysOf(change: CaseWrite): string[] {
    const { keys } = this.parts;
    const { caseId, fence } = change;
    const own = keys.ward(`case:${caseId}`);
    return [
      own,
      keys.outbox(WARD_QUEUE),
      keys.ward(`audit:${caseId}`),
      keys.ward("audit"),
      keys.ward("counts"),
      fence === undefined ? own : keys.lock(WARD_QUEUE, WARD_QUEUE, fence.jobId),
    ];
  }

  private argumentsOf(change: CaseWrite, outbox: OutboxEntry | null): (string | number)[] {
    const at = now();
    const { arrival, audit, fence, removes = [] } = change;
    const sets = Object.entries(change.sets).flat();
    return [
      change.caseId,
      change.expectedVersion,
      this.parts.keys.ward(""),
      at,
      change.status,
      change.fingerprint,
      fence?.token ?? "",
      arrival === undefined ? "0" : arrival.isReplay ? "2" : "1",
      arrival?.producer ?? "",
      Math.floor(at / HOUR_MS),
      outbox?.id ?? "",
      outbox === null ? "" : JSON.stringify(outbox),
      audit === null ? "" : JSON.stringify(audit),
      CASE_AUDIT_LENGTH_MAX,
      this.parts.auditLength,
      TREND_HOURS,
      PRODUCERS_MAX,
      JSON.stringify(arrival?.parties ?? []),
      change.recipeId ?? "",
      removes.length,
      sets.length,
      ...removes,
      ...sets,
    ];
  }
}

function toWritten(reply: ScriptReply): CaseWritten {
  const [kind, version] = Array.isArray(reply) ? reply : [];
  if (kind === "written") return { kind, version: Number(version) };
  return { kind: kind === "lost" ? "lost" : "stale" };
}
