import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { volumeOf } from "../../infra/deploy/stack.ts";
import { answerOf, openClient } from "../../services/cli/http/call-api.ts";
import type { AttackedCluster } from "./open-cluster.ts";

/** Possessions of others when the attack begins, which must be as they were afterwards. */
export interface Victims {
  /** Paid by `refunds` and completed. */
  readonly paid: string;
  /** Waits for a person. */
  readonly waiting: string;
  readonly waitingCase: string;
  /** Its message lies in the queue of `escalation`, whose process is stopped. */
  readonly mail: string;
}

const WITHIN = { timeout: 110_000, interval: 100 } as const;
const { signal } = new AbortController();

const refund = {
  order_id: "A-10245",
  amount: { value: 42.5, currency: "EUR" },
  reason: "damaged",
  customer_email: "hannah.moore@mail.example",
  language: "en",
  summary: "Asks for money back for a cracked lamp.",
  text: "The lamp is cracked. Please refund me.",
};

const lead = {
  company: "Bright Labs",
  seats: 120,
  customer_email: "karen.osei@brightlabs.example",
  language: "en",
  summary: "Asks for a quote for 120 seats.",
  text: "We need a quote for 120 seats.",
};

export async function handIn(
  { gateway }: AttackedCluster,
  to: "refunds" | "sales",
  payload: object,
): Promise<string> {
  const contract = to === "refunds" ? "refunds.request@2" : "sales.lead@1";
  const body = { target_agent: to, contract, data_payload: payload, on_invalid: "ward" } as const;
  return (await answerOf(openClient(gateway).POST("/v1/handoffs", { body, signal }))).run_id;
}

/** A lead for the compromised agent, of which the attacker has the sealed message. */
export const handInLead = (cluster: AttackedCluster): Promise<string> => handIn(cluster, "sales", lead);

export function readRun({ gateway }: AttackedCluster, runId: string): Promise<object> {
  const params = { path: { run_id: runId } };
  return answerOf(openClient(gateway).GET("/v1/runs/{run_id}", { params, signal }));
}

export async function untilStatus(cluster: AttackedCluster, runId: string, status: string): Promise<void> {
  await vi.waitFor(async () => expect(await readRun(cluster, runId)).toMatchObject({ status }), WITHIN);
}

async function caseOf({ console }: AttackedCluster, runId: string): Promise<string> {
  const params = { query: { run_id: runId } };
  const { cases } = await answerOf(openClient(console).GET("/v1/ward/cases", { params, signal }));
  return cases[0]?.case_id ?? "";
}

/** Fills a cluster with the work of others, and stops `escalation` so that mail waits there. */
export async function seedVictims(cluster: AttackedCluster): Promise<Victims> {
  const { amount: _, ...withoutSum } = refund;
  process.kill(cluster.pids["agent-escalation"], "SIGSTOP");
  const [paid, waiting, discarded, mail] = await Promise.all([
    handIn(cluster, "refunds", refund),
    handIn(cluster, "refunds", { ...withoutSum, order_id: "A-10235" }),
    handIn(cluster, "refunds", { ...withoutSum, order_id: "A-10236" }),
    handIn(cluster, "refunds", { ...refund, order_id: "A-10237", account: "DE02120300000000202051" }),
  ]);
  await untilStatus(cluster, paid, "completed");
  await untilStatus(cluster, waiting, "quarantined");
  await untilStatus(cluster, discarded, "quarantined");
  const params = { path: { case_id: await caseOf(cluster, discarded) } };
  const discard = { params, body: { why: "a duplicate" }, signal };
  await openClient(cluster.console).POST("/v1/ward/cases/{case_id}/discard", discard);
  await untilStatus(cluster, discarded, "failed");
  const queue = `${cluster.keys.queuePrefix}:escalation:wait`;
  await vi.waitFor(async () => expect(await cluster.overseer.llen(queue)).toBe(1), WITHIN);
  return { paid, waiting, mail, waitingCase: await caseOf(cluster, waiting) };
}

/** Digest of the value of each key that matches no pattern. Times to live are left out. */
export async function digestKeys(
  { overseer }: Pick<AttackedCluster, "overseer">,
  leftOut: readonly RegExp[],
): Promise<ReadonlyMap<string, string>> {
  const found: string[] = [];
  let cursor = "0";
  do {
    const [next, keys] = await overseer.scan(cursor, "COUNT", 1000);
    found.push(...keys.filter((key) => !leftOut.some((pattern) => pattern.test(key))));
    cursor = next;
  } while (cursor !== "0");
  const keys = [...new Set(found)].toSorted();
  const values = await Promise.all(keys.map((key) => valueOf(overseer, key)));
  return new Map(
    keys.flatMap((key, index) => {
      const value = values[index] ?? null;
      return value === null ? [] : [[key, createHash("sha256").update(value).digest("hex")]];
    }),
  );
}

/** A key's value. Hashes and sets are put in order: a mere read may change theirs in Redis, and so what it dumps. */
async function valueOf(overseer: AttackedCluster["overseer"], key: string): Promise<string | Buffer | null> {
  const type = await overseer.type(key);
  if (type === "hash") {
    const fields = await overseer.hgetall(key);
    return JSON.stringify(
      Object.keys(fields)
        .toSorted()
        .map((name) => [name, fields[name]]),
    );
  }
  if (type === "set") return JSON.stringify((await overseer.smembers(key)).toSorted());
  return overseer.dumpBuffer(key);
}

/** Every effect on the outside world so far: payments, tickets, leads. */
export function readEffects(): string {
  const journal = join(volumeOf("sandbox"), "sandbox.jsonl");
  return existsSync(journal) ? readFileSync(journal, "utf8") : "";
}
