import { writeSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { uuidv7 } from "#shared/clock";
import { open } from "#shared/envelope/seals";
import { verifyAudit } from "../../services/cli/audit/verify-audit.ts";
import type { HeldMessage } from "../isolated/forge-entry.ts";
import { OWN } from "./act.ts";
import type { Act, Attacker } from "./act.ts";
import { ACTS_AT_THE_RELAY } from "./acts-at-the-relay.ts";
import { ACTS_ELSEWHERE } from "./acts-elsewhere.ts";
import { ACTS_IN_REDIS } from "./acts-in-redis.ts";
import { openIsolatedCluster } from "./open-cluster.ts";
import type { IsolatedCluster } from "./open-cluster.ts";
import { digestKeys, handInLead, readEffects, readRun, seedVictims, untilStatus } from "./victims.ts";
import type { Victims } from "./victims.ts";

/**
 * Somebody holds the agent `sales` of a real cluster in the profile `isolated`: its keys, its login, its Unix user, its
 * network. Every act is refused, seen, and changes nothing of others.
 */

const ACTS: readonly Act[] = [...ACTS_IN_REDIS, ...ACTS_ELSEWHERE, ...ACTS_AT_THE_RELAY];
const WITHIN = { timeout: 110_000, interval: 20 } as const;

/** What services write by themselves while nothing happens, and the agent's own slot. */
const BY_ITSELF = [
  /\/presence$/,
  /:stalled(?:-check)?$/,
  /:events$/,
  /\{registry\}/,
  /\{runs\}\/audit/,
  /\{ward\}\/(?:circuits|circuit-window:.*|batch-leader)$/,
  // Agents tell what they made and how it ended some seconds after they made it.
  /\{ward\}\/(?:rates|handoffs):[mh]:\d+$/,
  /\{door\}\/refusals$/,
  new RegExp(`\\{${OWN}\\}`),
];
/** What a message of the agent's own that ends badly sets in motion: its run, its case, and what counts them. */
const OF_OWN_MESSAGES = [
  /\{runs\}\/(?:counts|index|owner)/,
  /\{ward\}\/(?:audit|audit-seq|counts|index.*|groups|group.*|producers|turns.*|waiting.*|cost.*)$/,
  new RegExp(`\\{ward\\}/circuit(?:-window)?:${OWN}$`),
  /\{ward\}:ward:/,
];

const reportSchema = z.object({
  profile: z.string(),
  findings: z.array(z.object({ check: z.string(), state: z.string() })),
});

let cluster: IsolatedCluster;
let victims: Victims;
let attacker: Attacker;
let own: string[];
const told: string[] = [];

beforeAll(async () => {
  cluster = await openIsolatedCluster();
  process.kill(cluster.compose.pidOf(`agent-${OWN}`), "SIGSTOP");
  victims = await seedVictims(cluster);
  own = await Promise.all(
    Array.from({ length: 2 * ACTS_AT_THE_RELAY.length + 5 }, () => handInLead(cluster)),
  );
  attacker = await openAttacker();
}, 240_000);

afterAll(async () => {
  writeSync(1, `${told.join("\n")}\n${told.length} acts\n`);
  await cluster?.close();
}, 120_000);

async function openAttacker(): Promise<Attacker> {
  const { keys, overseer } = cluster;
  const name = `agent-${OWN}`;
  const raw = cluster.connect(cluster.loginOf(name));
  const ring = cluster.keyringOf(name);
  const waiting = await raw.lrange(`${keys.queuePrefix(OWN)}:${OWN}:wait`, 0, -1);
  const hold = async (): Promise<HeldMessage> => {
    const messageId = waiting.pop() ?? "";
    const text = (await raw.hget(keys.job(OWN, OWN, messageId), "data")) ?? "";
    const data = JSON.parse(text) as Record<string, unknown>;
    const { envelope, bytes, digest } = open({ message: data, queue: OWN, jobId: messageId, keyring: ring });
    return { runId: envelope.meta.run_id, messageId, data, envelope, bytes, digest };
  };
  const tellRelay = async (entry: unknown, id = uuidv7()): Promise<void> => {
    await raw.hset(keys.outbox(OWN), id, typeof entry === "string" ? entry : JSON.stringify(entry));
    await raw.rpush(keys.outboxCalls(OWN), id);
    await expect.poll(() => overseer.hexists(keys.outbox(OWN), id), WITHIN).toBe(0);
  };
  const shell: Attacker["shell"] = (line, ...args) =>
    cluster.compose.runAs(name, {
      command: "/bin/sh",
      args: ["-c", `{ ${line}; } 2>/dev/null`, "sh", ...args],
    });
  return { cluster, victims, raw, ring, hold, tellRelay, shell };
}

/** What others have: every key that is not the agent's own or a service's pulse, and every effect outside. */
async function look({ refused }: Act) {
  const ofOwnRuns = own.map((id) => new RegExp(`\\{runs\\}/(?:run|taken):${id}`));
  const ofOwnCases = new RegExp(`\\{ward\\}/(?:case|audit):(?!${victims.waitingCase})`);
  const leftOut = refused.by === "relay" ? [...OF_OWN_MESSAGES, ...ofOwnRuns, ofOwnCases] : [];
  const seen = new Map(await digestKeys(cluster, [...BY_ITSELF, ...leftOut]));
  return seen.set("effects outside", readEffects(cluster));
}

function changedSince(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
}

const metricsOf = async (service: string): Promise<string> =>
  (await fetch(`${cluster.compose.urlOf(service, 9090)}/metrics`)).text();

async function refusedByRelay(reason: string): Promise<number> {
  const line = new RegExp(`suture_relay_refused_total\\{agent="${OWN}",reason="${reason}"\\} (\\d+)`);
  return Number(line.exec(await metricsOf("relay"))?.[1] ?? 0);
}

/** Carries out an act, and holds what came of it against how it is to be refused. */
async function expectRefused({ refused, attempt }: Act): Promise<void> {
  const { overseer, keys } = cluster;
  if (refused.by === "redis") {
    await overseer.call("ACL", "LOG", "RESET");
    expect(await attempt(attacker).catch((error: unknown) => error)).toBeInstanceOf(Error);
    expect(await overseer.call("ACL", "LOG", "1")).toHaveLength(1);
  } else if (refused.by === "relay") {
    const before = await refusedByRelay(refused.reason);
    await attempt(attacker);
    await expect.poll(() => refusedByRelay(refused.reason), WITHIN).toBeGreaterThan(before);
  } else if (refused.by === "door") {
    const before = await overseer.llen(keys.refusals());
    expect(refused.statuses).toContain(await attempt(attacker));
    if (refused.isListed) await expect.poll(() => overseer.llen(keys.refusals()), WITHIN).toBe(before + 1);
  } else if (refused.by === "kernel") {
    expect(await attempt(attacker)).toMatchObject({ output: "" });
  } else {
    await expect(attempt(attacker)).rejects.toMatchObject({ code: "ENVELOPE_SIGNING_KEY_MISSING" });
  }
}

describe("a compromised agent", () => {
  it("tries sixty acts or more, of every kind", () => {
    expect(ACTS.length).toBeGreaterThanOrEqual(60);
    const names = ACTS.map(({ aim, name }) => `${aim} ${name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(ACTS.map(({ aim }) => aim)).size).toBe(12);
  });

  it.for(ACTS)("$aim: $name", { timeout: 240_000 }, async (act, { skip }) => {
    const { aim, name, refused } = act;
    const { notOwnUsers } = cluster.compose;
    if (refused.by === "kernel" && notOwnUsers !== null) {
      told.push(`${aim.padEnd(12)} not tried  ${name}: ${notOwnUsers}`);
      skip(notOwnUsers);
    }
    const before = await look(act);
    await expectRefused(act);
    expect(changedSince(before, await look(act))).toEqual([]);
    told.push(`${aim.padEnd(12)} refused by ${refused.by.padEnd(8)} ${name}`);
  });

  it("leaves each container as the doctor says it should be", async () => {
    const doctor = { command: "node", args: ["services/cli/main.ts", "doctor", "--json"] };
    for (const service of ["relay", "surgeon", "gateway", "agent-refunds"]) {
      const { code, output } = await cluster.compose.runAs(service, doctor);
      const { profile, findings } = reportSchema.parse(JSON.parse(output));
      expect(
        findings.filter(({ state }) => state === "failed").map(({ check }) => check),
        service,
      ).toEqual([]);
      expect({ code, profile }, service).toEqual({ code: 0, profile: "isolated" });
    }
  }, 120_000);

  it("has taken nothing from anybody when all is tried", async () => {
    expect(await verifyAudit({ ...cluster.console }, [])).toMatchObject({ ok: true, records: 1 });
    expect(readEffects(cluster).trim().split("\n")).toHaveLength(1);
    expect(await readRun(cluster, victims.paid)).toMatchObject({ status: "completed" });
    process.kill(cluster.compose.pidOf("agent-escalation"), "SIGCONT");
    await untilStatus(cluster, victims.mail, "completed");
  }, 120_000);
});
