import { readdirSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Envelope } from "#shared/envelope";
import { open } from "#shared/envelope/seals";
import { verifyAudit } from "../../services/cli/audit/verify-audit.ts";
import { askPlainly } from "../../services/cli/doctor/ask-redis.ts";
import { OWN } from "./act.ts";
import type { Act, Attacker } from "./act.ts";
import { ACTS_ELSEWHERE } from "./acts-elsewhere.ts";
import { ACTS_IN_REDIS } from "./acts-in-redis.ts";
import { openAttackedCluster } from "./open-cluster.ts";
import type { AttackedCluster } from "./open-cluster.ts";
import { digestKeys, handInLead, readEffects, readRun, seedVictims, untilStatus } from "./victims.ts";
import type { Victims } from "./victims.ts";

/**
 * Somebody holds the agent `sales` of a real cluster: its keys, its login, its Unix user, its network. Every act is
 * refused, seen, and changes nothing of others, apart from those that docs/operating/trust.md says an agent may do.
 */

const ACTS: readonly Act[] = [...ACTS_IN_REDIS, ...ACTS_ELSEWHERE];
const WITHIN = { timeout: 110_000, interval: 20 } as const;

/** What services write by themselves while nothing happens, and the agent's own keys. */
const BY_ITSELF = [
  /\/presence$/,
  /:stalled(?:-check)?$/,
  /:events$/,
  /\{registry\}/,
  /\}\/runs\/audit/,
  /\}\/ward\/(?:circuits|circuit-window:.*|batch-leader)$/,
  // Agents tell what they made and how it ended some seconds after they made it.
  /\}\/ward\/(?:rates|handoffs):[mh]:\d+$/,
  /\{door\}\/refusals$/,
  new RegExp(`\\{s0\\}[:/]${OWN}[:./]`),
];
const reportSchema = z.object({
  findings: z.array(z.object({ check: z.string(), state: z.string() })),
});

const KEPT_BY_ISSUER = ["keys/master", "keys/api-keys", "redis-users/passwords.json"];
const CAN_READ = 'head -c 1 "$path" >/dev/null';
const CAN_WRITE = 'touch "$path"';

let cluster: AttackedCluster;
let victims: Victims;
let attacker: Attacker;
const told: string[] = [];

beforeAll(async () => {
  cluster = await openAttackedCluster();
  process.kill(cluster.compose.pidOf(`agent-${OWN}`), "SIGSTOP");
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
    cluster.compose.runAs(name, {
      command: "/bin/sh",
      args: ["-c", `{ ${line}; } 2>/dev/null`, "sh", ...args],
    });
  return { cluster, victims, raw, ring, hold, shell };
}

/** What others have: every key that is not the agent's own or a service's pulse, and every effect outside. */
async function look() {
  return new Map(await digestKeys(cluster, BY_ITSELF)).set("effects outside", readEffects(cluster));
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
    expect(await overseer.call("ACL", "DRYRUN", `agent-${OWN}`, command, ...args)).toBe("OK");
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

/** What each container's process may read and write of this machine and of Redis: its own and nothing else. */
describe("by the compose file", () => {
  const atWork = (): string[] => cluster.compose.started.filter((name) => name !== "keys");

  /** The containers' secrets and the issuer's, each with the container that it is for. */
  const secretFiles = (): { readonly owner: string; readonly path: string }[] => {
    const volumes = dirname(cluster.compose.folders.volume("data"));
    const mark = "volume-secrets-";
    const handedOut = readdirSync(volumes)
      .filter((name) => name.startsWith(mark))
      .flatMap((name) =>
        readdirSync(join(volumes, name)).map((entry) => ({
          owner: name.slice(mark.length),
          path: join(volumes, name, entry),
        })),
      );
    const data = cluster.compose.folders.volume("data");
    return [...handedOut, ...KEPT_BY_ISSUER.map((entry) => ({ owner: "keys", path: join(data, entry) }))];
  };

  /** Returns those of the paths that a service's user can do to what a test of the shell asks. */
  const pathsThat = async (
    service: string,
    condition: string,
    paths: readonly string[],
  ): Promise<readonly string[]> => {
    const script = `for path in "$@"; do if ${condition}; then echo "$path"; fi; done`;
    const { output } = await cluster.compose.runAs(service, {
      command: "/bin/sh",
      args: ["-c", `{ ${script}; } 2>/dev/null`, "sh", ...paths],
    });
    return output.split("\n").filter((line) => line !== "");
  };

  it("lets each process read its own secrets and no other's, nor the master, nor another's environment", async (context) => {
    const { notOwnUsers } = cluster.compose;
    if (notOwnUsers !== null) context.skip(notOwnUsers);
    const secrets = secretFiles();
    const attempts = atWork().map(async (service) => {
      const environments = atWork()
        .filter((other) => other !== service)
        .map((other) => `/proc/${cluster.compose.pidOf(other)}/environ`);
      const asked = [...secrets.map(({ path }) => path), ...environments];
      const own = secrets.filter(({ owner }) => owner === service).map(({ path }) => path);
      expect(await pathsThat(service, CAN_READ, asked), service).toEqual(own);
    });
    await Promise.all(attempts);
  }, 120_000);

  it("holds no secret in the environment of any process", (context) => {
    if (process.platform !== "linux") context.skip("there is no /proc here");
    const secrets = secretFiles().flatMap(({ path }) =>
      [...readFileSync(path, "utf8").matchAll(/[A-Za-z0-9_+/=-]{32,}|sk-[\w-]+/g)].map(([text]) => text),
    );
    expect(secrets.length).toBeGreaterThan(40);
    for (const service of atWork()) {
      const environment = readFileSync(`/proc/${cluster.compose.pidOf(service)}/environ`, "utf8");
      expect(secrets.filter((secret) => environment.includes(secret))).toEqual([]);
    }
  });

  it("lets no process write to the application or to its secrets, or gain a capability", async (context) => {
    const { notOwnUsers } = cluster.compose;
    if (notOwnUsers !== null) context.skip(notOwnUsers);
    const code = ["services/x", "shared/envelope/index.ts", ".compiled/x"].map((path) => `"$PWD/${path}"`);
    for (const service of atWork()) {
      const secrets = secretFiles().map(({ path }) => path);
      const written = await pathsThat(service, CAN_WRITE, secrets);
      expect(written, service).toEqual([]);
      const script = `for path in ${code.join(" ")}; do if ${CAN_WRITE}; then echo "$path"; fi; done`;
      const line = { command: "/bin/sh", args: ["-c", `{ ${script}; } 2>/dev/null`] };
      expect((await cluster.compose.runAs(service, line)).output, service).toBe("");
      const status = readFileSync(`/proc/${cluster.compose.pidOf(service)}/status`, "utf8");
      expect(status, service).toMatch(/^CapEff:\s+0+$/m);
      expect(status, service).toMatch(/^CapBnd:\s+0+$/m);
      expect(status, service).toMatch(/^NoNewPrivs:\s+1$/m);
    }
  }, 120_000);

  it("lets nobody into Redis without a password, and under a service's only into what is its own", async () => {
    const { hostname: host, port } = new URL(cluster.secretOf("agent-reply", "redis-url"));
    const { username, password } = cluster.loginOf("agent-reply");
    const ask = (...commands: string[]): Promise<string> =>
      askPlainly({ host, port: Number(port), isTls: false }, commands);
    const asItself = `AUTH ${username} ${password}`;
    expect(await ask("GET suture:x")).toMatch(/^-NOAUTH/);
    expect(await ask("AUTH health any", "PING")).toBe("+PONG");
    expect(await ask("AUTH health any", "GET suture:x")).toMatch(/^-NOPERM/);
    expect(await ask(asItself, "HGETALL suture:{s0}/refunds/claims")).toMatch(/^-NOPERM/);
    expect(await ask(asItself, "HGETALL suture:{s0}/reply/claims")).toMatch(/^\*/);
  });
});

describe("a compromised agent", () => {
  it("tries fifty acts or more, of every kind", () => {
    expect(ACTS.length).toBeGreaterThanOrEqual(50);
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
    const before = await look();
    await expectRefused(act);
    expect(changedSince(before, await look())).toEqual([]);
    const end = refused.by === "nobody" ? "let by Redis" : `refused by ${refused.by}`;
    told.push(`${aim.padEnd(12)} ${end.padEnd(19)} ${name}`);
  });

  it("leaves each container as the doctor says it should be", async () => {
    const doctor = { command: "node", args: ["services/cli/main.ts", "doctor", "--json"] };
    for (const service of ["surgeon", "gateway", "agent-refunds"]) {
      const { code, output } = await cluster.compose.runAs(service, doctor);
      const { findings } = reportSchema.parse(JSON.parse(output));
      expect(
        findings.filter(({ state }) => state === "failed").map(({ check }) => check),
        service,
      ).toEqual([]);
      expect(code, service).toBe(0);
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
