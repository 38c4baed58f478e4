import { readFileSync } from "node:fs";
import type { Store } from "#shared/store";
import { RUN_STATUSES } from "#shared/store/runs";
import type { RunCounts, RunStatus } from "#shared/store/runs";
import { auditRuns } from "#shared/store/upkeep";
import type { Audit } from "#shared/store/upkeep";
import { findCases } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { QUEUE_NAMES } from "../plan/faults.ts";
import type { RedisNode } from "../redis/redis-node.ts";
import type { Deployment } from "../deployment.ts";

/** Most ever of each, in bytes or entries. */
interface Most {
  readonly redisBytesMax: number;
  readonly eventStreamMax: number;
  readonly processBytesMax: number;
  /** Handlings of one message that no outcome followed: deaths, and refused writes. */
  readonly unsettledStartsMax: number;
}

/** Observations of the state, again and again, while faults struck and after. */
export interface Observed extends Most {
  readonly samples: number;
  /** Records of the ledger that were looked at more than once. */
  readonly ledgersFollowed: number;
  /** Records that were settled and changed, or that went backwards. */
  readonly regressions: readonly string[];
  /** Instants at which the counters did not add up. */
  readonly unbalanced: readonly string[];
}

const EVERY_MS = 500;
const SCANNED_AT_ONCE = 400;
const PAGE_BYTES = 4096;

/** Looks at the state until it is stopped. What cannot be reached just now is looked at the next time. */
export class Observer {
  readonly #deployment: Deployment;
  readonly #ledgers = new Map<string, Readonly<Record<string, string>>>();
  readonly #cursors = new Map<RedisNode, string>();
  readonly #regressions: string[] = [];
  readonly #unbalanced: string[] = [];
  readonly #followed = new Set<string>();
  #most: Most = { redisBytesMax: 0, eventStreamMax: 0, processBytesMax: 0, unsettledStartsMax: 0 };
  #samples = 0;
  #isLooking = false;
  readonly #timer: NodeJS.Timeout;

  constructor(deployment: Deployment) {
    this.#deployment = deployment;
    this.#timer = setInterval(() => void this.#look(), EVERY_MS);
  }

  /** Stops, and says what it saw. */
  stop(): Observed {
    clearInterval(this.#timer);
    return {
      samples: this.#samples,
      ledgersFollowed: this.#followed.size,
      regressions: this.#regressions,
      unbalanced: this.#unbalanced,
      ...this.#most,
    };
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      this.#lookAtProcesses();
      const { redis } = this.#deployment;
      const masters = redis.replica() === null ? redis.nodes : [redis.node("redis")];
      for (const node of masters) await this.#lookAtServer(node);
      await this.#lookAtCounts(masters);
      this.#samples += 1;
    } catch {
      // A server is away: faults strike.
    } finally {
      this.#isLooking = false;
    }
  }

  async #lookAtServer(node: RedisNode): Promise<void> {
    const memory = await node.admin.info("memory");
    this.#raise("redisBytesMax", Number(/used_memory:(\d+)/.exec(memory)?.[1] ?? "0"));
    const match = this.#deployment.store.keys.ledger("chaos-*", "*").replace("{s0}", "{s*}");
    const from = this.#cursors.get(node) ?? "0";
    const [next, found] = await node.admin.scan(from, "MATCH", match, "COUNT", SCANNED_AT_ONCE);
    this.#cursors.set(node, next);
    for (const key of found) {
      // In a cluster its slot may just have moved.
      const fields = await node.admin.hgetall(key).catch(() => ({}));
      if (Object.keys(fields).length > 0) this.#compare(key, fields);
    }
  }

  #compare(key: string, fields: Readonly<Record<string, string>>): void {
    const before = this.#ledgers.get(key);
    if (before !== undefined) {
      this.#followed.add(key);
      for (const text of findRegressions(before, fields)) this.#regressions.push(`${key}: ${text}`);
    }
    this.#ledgers.set(key, fields);
    this.#raise("unsettledStartsMax", Number(fields["begun"] ?? 0) - Number(fields["requeues"] ?? 0));
  }

  async #lookAtCounts(masters: readonly RedisNode[]): Promise<void> {
    const { store } = this.#deployment;
    // On the server itself, so that what is read belongs to one instant.
    const places = masters.flatMap(({ admin }) => store.shards.map(({ keys }) => ({ admin, keys })));
    for (const { admin, keys } of places) {
      const fields = await admin.hgetall(keys.runs("counts")).catch(() => null);
      if (fields === null) continue;
      const { submitted = "0", ...rest } = fields;
      const sum = Object.values(rest).reduce((total, count) => total + Number(count), 0);
      if (Number(submitted) !== sum) this.#unbalanced.push(JSON.stringify(fields));
      for (const agent of QUEUE_NAMES) {
        const stream = keys.job(agent, "events");
        this.#raise("eventStreamMax", await admin.xlen(stream).catch(() => 0));
      }
    }
  }

  #lookAtProcesses(): void {
    for (const { pid } of Object.values(this.#deployment.services)) {
      if (pid !== null) this.#raise("processBytesMax", residentBytesOf(pid));
    }
  }

  #raise(name: keyof Most, value: number): void {
    this.#most = { ...this.#most, [name]: Math.max(this.#most[name], value) };
  }
}

/** 0 where the system does not say. */
function residentBytesOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1] ?? "0") * PAGE_BYTES;
  } catch {
    return 0;
  }
}

/** Counters of a ledger's record: they only rise. */
const COUNTERS = ["begun", "requeues"];

/** Returns the fields of a ledger record that went backwards between two looks, as a write behind the fence leaves. */
function findRegressions(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  const found: string[] = [];
  // Destroyed while it was open: the outcome that says so is one of the bytes that were found then.
  const mayBeReplaced = before["outcome"] === undefined && after["outcome"] !== undefined;
  for (const [name, value] of Object.entries(before)) {
    if (name === "digest" && mayBeReplaced) continue;
    const isKept = name === "outcome" || name === "digest" || name === "accepted" || /^[sd]:/.test(name);
    if (isKept && after[name] === undefined) found.push(`${name} is gone`);
    else if (isKept && after[name] !== value) found.push(`${name} was written over`);
    if (COUNTERS.includes(name) && Number(after[name] ?? 0) < Number(value)) found.push(`${name} fell`);
  }
  return found;
}

/** A run as it stands when all is over. */
export interface FinalRun {
  readonly run_id: string;
  readonly status: RunStatus;
  readonly result: unknown;
  /** Agents in the order in which they handed on. */
  readonly handedOn: readonly string[];
  /** Completions that the run was told of. */
  readonly completions: number;
}

/** A case as it stands when all is over, and who is said to have brought it there. */
export interface FinalCase extends Pick<WardCase, "run_id" | "message_id" | "status" | "failure_class"> {
  /** Changes that the audit names nobody for, or no change at all. */
  readonly anonymous: number;
}

/** All that the Redis under test says in the end. */
export interface FinalState {
  readonly runs: readonly FinalRun[];
  readonly cases: readonly FinalCase[];
  readonly counts: RunCounts;
  readonly audit: Audit;
}

const RUNS_MAX = 1_000_000;
const EVENTS_MAX = 5000;
const CASE_PAGE = 200;
const AUDIT_MAX = 200;

export async function readFinalState(store: Store): Promise<FinalState> {
  const runs: FinalRun[] = [];
  for (const status of RUN_STATUSES) {
    for (const runId of await store.runs.idsIn(status, RUNS_MAX)) runs.push(await readRun(store, runId));
  }
  const cases = await readCases(store);
  const held = new Set(cases.map(({ message_id }) => message_id));
  const audit = await auditRuns(store, async (messageId) => held.has(messageId));
  return { runs, cases, counts: await store.runs.counts(), audit };
}

async function readRun(store: Store, runId: string): Promise<FinalRun> {
  const { status, result } = await store.runs.get(runId);
  const events = await store.runs.events(runId, { from: 0, limit: EVENTS_MAX });
  // By hops: what happened later may be told first.
  const handedOn = events
    .filter((event) => event.type === "handed_off")
    .toSorted((a, b) => Number(a.detail["hop"]) - Number(b.detail["hop"]))
    .map((event) => event.agent ?? "");
  const completions = events.filter((event) => event.type === "completed").length;
  return { run_id: runId, status, result, handedOn, completions };
}

async function readCases(store: Store): Promise<FinalCase[]> {
  const found: FinalCase[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof findCases>> = await findCases(store, {
      filter: {},
      cursor,
      limit: CASE_PAGE,
    });
    for (const { case_id, run_id, message_id, status, failure_class } of page.cases) {
      const entries = await store.cases.audit(case_id, AUDIT_MAX);
      const anonymous = entries.length === 0 ? 1 : entries.filter(({ by }) => by === "").length;
      found.push({ run_id, message_id, status, failure_class, anonymous });
    }
    cursor = page.cursor;
  } while (cursor !== null);
  return found;
}
