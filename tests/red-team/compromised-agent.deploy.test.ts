import { readFileSync, writeSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Envelope } from "#shared/envelope";
import { open } from "#shared/envelope/seals";
import { execIn } from "../../infra/deploy/stack.ts";
import { verifyAudit } from "../../services/cli/audit/verify-audit.ts";
import { OWN } from "./act.ts";
import type { Act, Attacker } from "./act.ts";
import { ACTS_ELSEWHERE } from "./acts-elsewhere.ts";
import { ACTS_IN_REDIS } from "./acts-in-redis.ts";
import { openAttackedCluster } from "./open-cluster.ts";
import type { AttackedCluster } from "./open-cluster.ts";
import { digestKeys, handInLead, readEffects, readRun, seedVictims, untilStatus } from "./victims.ts";
import type { Victims } from "./victims.ts";

/** Somebody holds agent `sales` of a real cluster, keys to network: each act is refused, seen, and changes nothing. */

const ACTS: readonly Act[] = [...ACTS_IN_REDIS, ...ACTS_ELSEWHERE];
const WITHIN = { timeout: 110_000, interval: 20 } as const;

/** Keys that services write by themselves while nothing happens, and the agent's own keys. */
const BY_ITSELF = [
  /\/presence$/,
  /:stalled(?:-check)?$/,
  /:events$/,
  /\{registry\}/,
  /:gateway:\{s0\}\/audit/,
  /:ward:\{s0\}\/batch-leader$/,
  // Agents tell what they made and how it ended some seconds after they made it.
  /\}\/feedback\/(?:rates|handoffs|costs):[mhd]:\d+$/,
  /\{door\}\/refusals$/,
  new RegExp(`\\{s0\\}(?::|/[a-z-]+/)${OWN}(?:[:.]|$)`),
];
const reportSchema = z.object({
  findings: z.array(z.object({ check: z.string(), state: z.string() })),
});

let cluster: AttackedCluster;
let victims: Victims;
let attacker: Attacker;
const told: string[] = [];

beforeAll(async () => {
  cluster = await openAttackedCluster();
  process.kill(cluster.pids[`agent-${OWN}`], "SIGSTOP");
  victims = await seedVictims(cluster);
  await handInLead(cluster);
  attacker = await openAttacker();
}, 240_000);

afterAll(async () => {
  writeSync(1, `${told.join("\n")}\n${told.length} acts\n`);
  await cluster?.close();
}, 120_000);

async function openAttacker(): Promise<Attacker> {
  const { keys } = cluster;
  const name = `agent-${OWN}`;
  const raw = cluster.connect(cluster.loginOf(name));
  const ring = cluster.keyringOf(name);
  const waiting = await raw.lrange(`${keys.queuePrefix}:${OWN}:wait`, 0, -1);
  const hold = async (): Promise<Envelope> => {
    const messageId = waiting.pop() ?? "";
    const text = (await raw.hget(keys.job(OWN, messageId), "data")) ?? "";
    const data = JSON.parse(text) as Record<string, unknown>;
    return open({ message: data, queue: OWN, jobId: messageId, keyring: ring }).envelope;
  };
  const shell: Attacker["shell"] = (line, ...args) =>
    execIn(name, ["sh", "-c", `{ ${line}; } 2>/dev/null`, "sh", ...args]);
  return { cluster, victims, raw, ring, hold, shell };
}

/** Property of others: every key that is not the agent's own or a service's pulse, and every effect outside. */
async function look() {
  return new Map(await digestKeys(cluster, BY_ITSELF)).set("effects outside", readEffects());
}

function changedSince(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
}

/** Carries out an act, and holds what came of it against how it is to be refused. */
async function expectRefused({ refused, attempt }: Act): Promise<void> {
  const { overseer, keys } = cluster;
  if (refused.by === "redis") {
    await overseer.call("ACL", "LOG", "RESET");
    expect(await attempt(attacker).catch((error: unknown) => error)).toBeInstanceOf(Error);
    expect(await overseer.call("ACL", "LOG", "1")).toHaveLength(1);
  } else if (refused.by === "nobody") {
    const [command = "", ...args] = refused.command(attacker);
    expect(await overseer.call("ACL", "DRYRUN", "agent", command, ...args)).toBe("OK");
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

  it("is told what Redis lets it do, act by act", () => {
    const page = readFileSync("docs/operating/trust.md", "utf8");
    const allowed = ACTS.filter(({ refused }) => refused.by === "nobody").map(
      ({ aim, name }) => `${aim} ${name}`,
    );
    expect(allowed.filter((act) => !page.includes(act))).toEqual([]);
  });

  it.for(ACTS)("$aim: $name", { timeout: 240_000 }, async (act) => {
    const { aim, name, refused } = act;
    const before = await look();
    await expectRefused(act);
    expect(changedSince(before, await look())).toEqual([]);
    const end = refused.by === "nobody" ? "let by Redis" : `refused by ${refused.by}`;
    told.push(`${aim.padEnd(12)} ${end.padEnd(19)} ${name}`);
  });

  it("leaves each container as the doctor says it should be", async () => {
    for (const service of ["surgeon", "gateway", "agent-refunds"]) {
      const { isOk, output } = await execIn(service, ["node", "services/cli/main.ts", "doctor", "--json"]);
      const { findings } = reportSchema.parse(JSON.parse(output));
      const of = (state: string): string[] =>
        findings.flatMap((one) => (one.state === state ? [one.check] : []));
      expect(of("failed"), service).toEqual([]);
      expect(isOk, service).toBe(true);
      const kept = ["secrets of others", "signers of a process", "Redis password", "Redis keys of others"];
      expect(of("ok"), service).toEqual(expect.arrayContaining([...kept, "Redis commands", "master key"]));
    }
  }, 120_000);

  it("has taken nothing from anybody when all is tried", async () => {
    expect(await verifyAudit({ ...cluster.console }, [])).toMatchObject({ ok: true, records: 1 });
    expect(readEffects().trim().split("\n")).toHaveLength(1);
    expect(await readRun(cluster, victims.paid)).toMatchObject({ status: "completed" });
    process.kill(cluster.pids["agent-escalation"], "SIGCONT");
    await untilStatus(cluster, victims.mail, "completed");
  }, 120_000);
});
