import { readFileSync } from "node:fs";
import { QUEUE_NAMES } from "../plan/fault.ts";
import type { RedisNode } from "../redis/redis-node.ts";
import type { Deployment } from "../deployment.ts";
import { findRegressions } from "./find-regressions.ts";

/** Most ever of each, in bytes or entries. */
interface Most {
  readonly redisBytesMax: number;
  readonly eventStreamMax: number;
  readonly processBytesMax: number;
  /** Handlings of one message that no outcome followed: deaths, and refused writes. */
  readonly unsettledStartsMax: number;
}

/** What was seen of the state again and again, while faults struck and after. */
export interface Observed extends Most {
  readonly samples: number;
  /** Records of the ledger that were looked at more than once. */
  readonly ledgersFollowed: number;
  /** What was settled and changed, or went backwards. */
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
    const { keys } = this.#deployment.store;
    const match = keys.ledger("chaos-*", "*");
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
    for (const { admin } of masters) {
      const fields = await admin.hgetall(store.keys.runs("counts")).catch(() => null);
      if (fields === null) continue;
      const { submitted = "0", ...rest } = fields;
      const sum = Object.values(rest).reduce((total, count) => total + Number(count), 0);
      if (Number(submitted) !== sum) this.#unbalanced.push(JSON.stringify(fields));
      for (const agent of QUEUE_NAMES) {
        const stream = store.keys.job(agent, "events");
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
