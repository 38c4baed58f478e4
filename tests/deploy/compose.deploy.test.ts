import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig, Secret } from "#shared/config";
import { loadTeams } from "#shared/runtime/process";
import { Store, storeSettings } from "#shared/store";
import { addressOf, compose, execIn, inspect, MODEL_KEY, pidOf, volumeOf } from "../../infra/deploy/stack.ts";
import { actAsOperator } from "../../services/cli/demo/operator.ts";
import { readSamples, sendTraffic } from "../../services/cli/demo/samples.ts";
import type { Sample, Sent } from "../../services/cli/demo/samples.ts";
import { answerOf, openClient } from "../../services/cli/http/call-api.ts";
import type { Api } from "../../services/cli/http/call-api.ts";
import type { ModelEndpoint } from "../support/model-endpoint.ts";
import { readApis, secretOf, startModel, TEAMS } from "./open-deployment.ts";

const WITHIN = { timeout: 180_000, interval: 500 } as const;
/** Lacks a value that the customer tells a person. */
const NEEDS_PERSON = "message-22";
const HEALED_MESSAGES = 4;
const KEPT_BY_ISSUER = ["keys/master", "keys/api-keys", "redis-users/passwords.json"];
const { signal } = new AbortController();

let services: string[];
let model: ModelEndpoint;
let api: { readonly gateway: Api; readonly console: Api };
let pids: ReadonlyMap<string, number>;

beforeAll(async () => {
  api = readApis();
  model = await startModel();
  services = (await compose("config", "--services"))
    .trim()
    .split("\n")
    .filter((name) => name !== "keys");
  pids = new Map(await Promise.all(services.map(async (name) => [name, await pidOf(name)] as const)));
});

afterAll(() => model?.close());

/** The first task of each team, messages that are healed, and one that waits for a person. */
function chooseSamples(samples: readonly Sample[]): Sample[] {
  const tasks = samples.filter(({ kind }) => kind === "task");
  const first = [...new Map(tasks.toReversed().map((task) => [task.team, task])).values()];
  const messages = samples.flatMap((one) => (one.kind === "message" ? [one] : []));
  const healed = messages.filter(({ expect: ending }) => ending === "first_aid").slice(0, HEALED_MESSAGES);
  return [...first, ...healed, ...messages.filter(({ id }) => id === NEEDS_PERSON)];
}

/** The containers' secrets and the issuer's as this machine sees them, each with the container that it is for. */
function secretFiles(): { readonly owner: string; readonly path: string }[] {
  const owners = ["redis", ...services.filter((name) => name !== "sandbox" && name !== "redis")];
  const handedOut = owners.flatMap((owner) =>
    readdirSync(volumeOf(`secrets-${owner}`)).map((entry) => ({
      owner,
      path: join(volumeOf(`secrets-${owner}`), entry),
    })),
  );
  return [
    ...handedOut,
    ...KEPT_BY_ISSUER.map((entry) => ({ owner: "keys", path: join(volumeOf("data"), entry) })),
  ];
}

const CAN_READ = 'head -c 1 "$path" >/dev/null';
const CAN_WRITE = 'touch "$path"';

/** Returns those of the paths that a service's user can do to what a test of the shell asks. */
async function pathsThat(service: string, condition: string, paths: readonly string[]): Promise<string[]> {
  const script = `{ for path in "$@"; do if ${condition}; then echo "$path"; fi; done; } 2>/dev/null`;
  const { output } = await execIn(service, ["sh", "-c", script, "sh", ...paths]);
  return output.split("\n").filter((line) => line !== "");
}

describe("containers of the compose file", () => {
  it("take tasks of all teams to their results, heal messages, and carry out what a person releases", async () => {
    const gateway = openClient(api.gateway);
    const samples = chooseSamples(readSamples(TEAMS, await loadTeams(TEAMS)));
    expect(new Set(samples.map(({ team }) => team)).size).toBe(7);
    const before = (await answerOf(gateway.GET("/v1/stats", { signal }))).equation;
    const sent: Sent[] = [];
    await sendTraffic({ samples, gateway: api.gateway, signal, onSent: (one) => void sent.push(one) });
    const unfinished = async (): Promise<string[]> => {
      const runs = sent.map(async ({ sample, run_id: id }) => {
        const request = { params: { path: { run_id: id } }, signal };
        const { status } = await answerOf(gateway.GET("/v1/runs/{run_id}", request));
        return status === "completed" ? [] : [`${sample.id} ${status}`];
      });
      return (await Promise.all(runs)).flat().toSorted();
    };
    await expect.poll(unfinished, WITHIN).toEqual([`${NEEDS_PERSON} quarantined`]);
    const url = new URL(secretOf("console", "redis-url"));
    url.hostname = await addressOf("redis");
    const store = new Store({
      ...storeSettings(loadConfig({}), new Secret(url.href)),
      role: "producer",
      onError: () => undefined,
    });
    expect(await actAsOperator({ console: api.console, store, sent, signal })).toBe(1);
    await store.close();
    await expect.poll(unfinished, WITHIN).toEqual([]);
    const { equation } = await answerOf(gateway.GET("/v1/stats", { signal }));
    expect(equation).toMatchObject({ submitted: before.submitted + samples.length, lost: 0 });
    // A run of the suite before may have ended since.
    expect(equation.completed).toBeGreaterThanOrEqual(before.completed + samples.length);
  }, 400_000);

  it("let each process read its own secrets and no other's, nor the master, nor another's environment", async () => {
    const secrets = secretFiles();
    for (const service of services) {
      const environments = [...pids].flatMap(([other, pid]) =>
        other === service ? [] : `/proc/${pid}/environ`,
      );
      const ofOthers = [...secrets.map(({ path }) => path), ...environments];
      const own = secrets.filter(({ owner }) => owner === service).map(({ path }) => basename(path));
      const mounted = own.map((name) => `/run/secrets/${name}`);
      expect(await pathsThat(service, CAN_READ, [...mounted, ...ofOthers]), service).toEqual(mounted);
      const { output } = await execIn(service, ["sh", "-c", "ls /run/secrets 2>/dev/null"]);
      expect(
        output.split("\n").filter((name) => name !== ""),
        service,
      ).toEqual(own.toSorted());
    }
  });

  it("hold no secret in the environment of any process", () => {
    const secrets = secretFiles().flatMap(({ path }) =>
      [...readFileSync(path, "utf8").matchAll(/[A-Za-z0-9_+/=-]{32,}|sk-[\w-]+/g)].map(([text]) => text),
    );
    expect(secrets).toContain(MODEL_KEY);
    expect(secrets.length).toBeGreaterThan(100);
    for (const [service, pid] of pids) {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      expect(
        secrets.filter((secret) => environment.includes(secret)),
        service,
      ).toEqual([]);
    }
  });

  it("let no process write to its image or its secrets, be root, or gain a capability", async () => {
    const places = [
      "/x",
      "/app/services/x",
      "/app/node_modules/x",
      "/app/.compiled/x",
      "/etc/x",
      "/run/secrets/x",
    ];
    const files = ["/app/shared/envelope/index.ts", "/run/secrets/keys.json", "/run/secrets/redis-url"];
    for (const service of services) {
      expect(await pathsThat(service, CAN_WRITE, [...places, ...files]), service).toEqual([]);
      const { ReadonlyRootfs, Init, Privileged } = (await inspect(service)).HostConfig;
      expect({ ReadonlyRootfs, Init, Privileged }, service).toEqual({
        ReadonlyRootfs: true,
        Init: true,
        Privileged: false,
      });
      const status = readFileSync(`/proc/${pids.get(service)}/status`, "utf8");
      expect(status, service).not.toMatch(/^Uid:\s+0\b/m);
      expect(status, service).toMatch(/^CapEff:\s+0+$/m);
      expect(status, service).toMatch(/^CapBnd:\s+0+$/m);
      expect(status, service).toMatch(/^NoNewPrivs:\s+1$/m);
      expect(status, service).toMatch(/^Seccomp:\s+2$/m);
    }
  });

  it("find their code compiled, and compile nothing anew", async () => {
    for (const service of services.filter((name) => name !== "redis")) {
      const { output } = await execIn(service, [
        "sh",
        "-c",
        'ls /app/.compiled/*-"$(id -u)" | wc -l; find /tmp -path "*compile*" | wc -l',
      ]);
      const [compiled = 0, anew] = output.trim().split("\n").map(Number);
      expect(compiled, service).toBeGreaterThan(500);
      expect(anew, service).toBe(0);
    }
  });

  it("let nobody into Redis without a password, and under a role's only into what is its own", async () => {
    const ask = async (service: string, commands: readonly string[]): Promise<string> => {
      const url = new URL(secretOf("agent-reply", "redis-url"));
      const lines = commands.map((one) => one.replace("AUTH own", `AUTH ${url.username} ${url.password}`));
      const script = `const s = require("node:net").connect(6379, "redis", () => s.end(${JSON.stringify(`${lines.join("\r\n")}\r\n`)}));
        s.on("data", (text) => process.stdout.write(text)); s.on("error", (error) => console.log(error.code));`;
      return (await execIn(service, ["node", "-e", script])).output;
    };
    expect(await ask("agent-reply", ["GET suture:x"])).toMatch(/^-NOAUTH/);
    expect(await ask("agent-reply", ["AUTH health any", "PING"])).toMatch(/\+PONG/);
    expect(await ask("agent-reply", ["AUTH health any", "GET suture:x"])).toMatch(/-NOPERM/);
    for (const key of ["ward:{s0}/case:x", "gateway:{s0}/idempotency:x", "{people}/records"])
      expect(await ask("agent-reply", ["AUTH own", `HGETALL suture:${key}`]), key).toMatch(/-NOPERM/);
    expect(await ask("agent-reply", ["AUTH own", "HGETALL suture:{s0}/led/reply:x"])).toMatch(/\*0/);
    // On its network there is no Redis.
    expect(await ask("reader", ["PING"])).toMatch(/^(?:ENOTFOUND|EAI_AGAIN)/);
  });

  it("give the reader of uploaded files no way into Redis, and no secret but its own token", async () => {
    const { Networks } = (await inspect("reader")).NetworkSettings;
    expect(Object.keys(Networks)).toEqual(["suture_reading"]);
    const own = secretFiles().filter(({ owner }) => owner === "reader");
    expect(own.map(({ path }) => basename(path))).toEqual(["reader-token"]);
    const address = await addressOf("redis");
    const script = `const s = require("node:net").connect({ port: 6379, host: "${address}", timeout: 3000 }, () => console.log("in"));
      s.on("timeout", () => process.exit()); s.on("error", (error) => console.log(error.code));`;
    expect((await execIn("reader", ["node", "-e", script])).output).toMatch(/^(?:ENETUNREACH\n)?$/);
  });
});
