import { mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { loadConfig, Secret } from "#shared/config";
import { loadTeams } from "#shared/runtime/process";
import { Store, storeSettings } from "#shared/store";
import { obtainRedisServer } from "../infra/redis/obtain-redis-server.ts";
import { actAsOperator } from "../services/cli/demo/operator.ts";
import { readSamples, sendTraffic } from "../services/cli/demo/samples.ts";
import type { Sample, Sent } from "../services/cli/demo/samples.ts";
import { askOnce } from "../infra/redis/redis-process.ts";
import { answerOf, openClient } from "../services/cli/http/call-api.ts";
import type { Api } from "../services/cli/http/call-api.ts";
import { buildImage } from "../infra/compose/build-image.ts";
import { composeUp } from "../infra/compose/compose-up.ts";
import type { RunningCompose } from "../infra/compose/compose-up.ts";
import { readCompose } from "../infra/compose/read-compose.ts";
import { startModelEndpoint } from "./support/model-endpoint.ts";

/** The compose file as `docker compose up` runs it on empty volumes, with a key for a model and nothing else set. */

const root = dirname(import.meta.dirname);
const COMPOSE_FILE = join(root, "docker-compose.yml");
const TEAMS = join(root, "services/agents");
const MODEL_KEY = "sk-test-0123456789abcdef";

const file = readCompose(COMPOSE_FILE, { OPENAI_API_KEY: MODEL_KEY });
const services = Object.entries(file.services);

describe("by the compose file", () => {
  it("what Redis keeps is mounted by Redis alone", () => {
    const holders = services.filter(([, { volumes }]) => volumes.some((mount) => mount.startsWith("redis:")));
    expect(holders.map(([name]) => name)).toEqual(["redis"]);
  });

  it("every agent has a container and a group of its own, and no two containers share a volume of secrets", async () => {
    const teams = await loadTeams(TEAMS);
    const agents = [...new Set(teams.flatMap((team) => [...team.agents.keys()]))];
    const commands = services.map(([, { command }]) => command.join(" "));
    for (const agent of agents) expect(commands.some((one) => one.endsWith(` ${agent}`))).toBe(true);
    const groups = services.map(([, { user }]) => user.gid);
    expect(new Set(groups).size).toBe(groups.length);
    const secrets = services
      .filter(([name]) => name !== "keys")
      .flatMap(([, { volumes }]) => volumes.filter((mount) => mount.startsWith("secrets-")));
    expect(new Set(secrets).size).toBe(secrets.length);
    for (const mount of secrets) expect(mount).toMatch(/:\/run\/secrets:ro$/);
  });

  it("the master is in the volume of the one container that issues keys, which has no network", () => {
    const holders = services.filter(([, { volumes }]) => volumes.some((mount) => mount.startsWith("data:")));
    expect(holders.map(([name]) => name)).toEqual(["keys"]);
    expect(file.services["keys"]).toMatchObject({ network_mode: "none", restart: "no" });
  });

  it("no environment but that of the container that issues keys holds a secret", () => {
    const holding = services.filter(([, { environment }]) => JSON.stringify(environment).includes(MODEL_KEY));
    expect(holding.map(([name]) => name)).toEqual(["keys"]);
  });

  it("all but the one that gives files away run without root, and all with what they must not do taken away", () => {
    for (const [name, { user, cap_add: capabilities, healthcheck }] of services) {
      expect(user.uid > 0 && capabilities.length === 0, name).toBe(name !== "keys");
      expect(healthcheck === null, name).toBe(name === "keys");
    }
  });

  it("Redis is on a network without a way out, and so is each agent that asks no model", () => {
    expect(file.networks["inside"]).toEqual({ internal: true });
    expect(file.services["redis"]?.networks).toEqual(["inside"]);
    for (const [name, { networks, environment }] of services)
      if (name.startsWith("agent-"))
        expect(networks.includes("outside"), name).toBe(environment["OPENAI_API_KEY"] !== undefined);
  });
});

const doctorSchema = z.object({
  sound: z.boolean(),
  findings: z.array(z.object({ check: z.string(), seen: z.string(), state: z.string(), todo: z.string() })),
});
const KEPT_BY_ISSUER = ["keys/master", "keys/api-keys", "redis-users/passwords.json"];

let folder: string;
let running: RunningCompose;
let stopModel: (() => void) | undefined;
let api: { readonly gateway: Api; readonly console: Api };

/** The containers' secrets and the issuer's, each with the container that it is for. */
function secretFiles(): { readonly owner: string; readonly path: string }[] {
  const volumes = Object.keys(file.volumes).filter((name) => name.startsWith("secrets-"));
  const handedOut = volumes.flatMap((name) =>
    readdirSync(running.folders.volume(name)).map((entry) => ({
      owner: name.slice("secrets-".length),
      path: join(running.folders.volume(name), entry),
    })),
  );
  const data = running.folders.volume("data");
  return [...handedOut, ...KEPT_BY_ISSUER.map((entry) => ({ owner: "keys", path: join(data, entry) }))];
}

/** Texts that give a secret away wherever they are seen. */
function secretTexts(): string[] {
  return secretFiles().flatMap(({ path }) =>
    [...readFileSync(path, "utf8").matchAll(/[A-Za-z0-9_+/=-]{32,}|sk-[\w-]+/g)].map(([text]) => text),
  );
}

/** Returns those of the paths that a service's user can do to what a test of the shell asks. */
async function pathsThat(
  service: string,
  condition: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const script = `for path in "$@"; do if ${condition}; then echo "$path"; fi; done`;
  const { output } = await running.runAs(service, {
    command: "/bin/sh",
    args: ["-c", `{ ${script}; } 2>/dev/null`, "sh", ...paths],
  });
  return output.split("\n").filter((line) => line !== "");
}

const CAN_READ = 'head -c 1 "$path" >/dev/null';
const CAN_WRITE = 'touch "$path"';

const atWork = (): string[] => running.started.filter((name) => name !== "keys");

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "suture-compose-test-"));
  const model = await startModelEndpoint(await loadTeams(TEAMS));
  stopModel = () => model.close();
  running = await composeUp({
    // The address too, because tests call nobody outside; all else is left to its default.
    file: readCompose(COMPOSE_FILE, { OPENAI_API_KEY: MODEL_KEY, OPENAI_BASE_URL: model.url }),
    root,
    image: buildImage(root, join(folder, "image")),
    folder,
    redis: await obtainRedisServer({
      say: () => undefined,
      fallbackDir: join(root, ".suture", "redis-server"),
    }),
  });
  const keys = readFileSync(join(running.folders.volume("secrets-gateway"), "api-keys"), "utf8");
  const key = keys.trim().split(":")[2] ?? "";
  api = {
    gateway: { service: "gateway", url: running.urlOf("gateway", 8080), key },
    console: { service: "console", url: running.urlOf("console", 8081), key },
  };
}, 400_000);

afterAll(async () => {
  await running?.stop();
  stopModel?.();
  await rm(folder, { recursive: true, force: true });
});

describe("started on empty volumes", () => {
  it("takes tasks of all teams to their results, heals messages, and carries out what a person releases", async () => {
    const { signal } = new AbortController();
    const gateway = openClient(api.gateway);
    const samples = chooseSamples(readSamples(TEAMS, await loadTeams(TEAMS)));
    expect(new Set(samples.map(({ team }) => team)).size).toBe(7);
    const sent: Sent[] = [];
    const sending = sendTraffic({
      samples,
      gateway: api.gateway,
      signal,
      onSent: (one) => void sent.push(one),
    });
    await Promise.race([running.failed, sending]);
    const unfinished = async (): Promise<string[]> => {
      const runs = sent.map(async ({ sample, run_id: id }) => {
        const request = { params: { path: { run_id: id } }, signal };
        const { status } = await answerOf(gateway.GET("/v1/runs/{run_id}", request));
        return status === "completed" ? [] : [`${sample.id} ${status}`];
      });
      return (await Promise.all(runs)).flat();
    };
    await expect.poll(unfinished, WITHIN).toEqual([`${NEEDS_PERSON} quarantined`]);
    const url = readFileSync(join(running.folders.volume("secrets-console"), "redis-url"), "utf8").trim();
    const store = new Store({
      ...storeSettings(loadConfig({}), new Secret(url)),
      role: "producer",
      onError: () => undefined,
    });
    expect(await actAsOperator({ console: api.console, store, sent, signal })).toBe(1);
    await store.close();
    await expect.poll(unfinished, WITHIN).toEqual([]);
    const { equation } = await answerOf(gateway.GET("/v1/stats", { signal }));
    expect(equation).toMatchObject({ submitted: samples.length, completed: samples.length, lost: 0 });
  }, 400_000);

  it("lets each process read its own secrets and no other's, nor the master, nor another's environment", async (context) => {
    if (running.notOwnUsers !== null) context.skip(running.notOwnUsers);
    const secrets = secretFiles();
    const attempts = atWork().map(async (service) => {
      const environments = atWork()
        .filter((other) => other !== service)
        .map((other) => `/proc/${running.pidOf(other)}/environ`);
      const asked = [...secrets.map(({ path }) => path), ...environments];
      const own = secrets.filter(({ owner }) => owner === service).map(({ path }) => path);
      expect(await pathsThat(service, CAN_READ, asked), service).toEqual(own);
    });
    await Promise.all(attempts);
  });

  it("holds no secret in the environment of any process", (context) => {
    if (process.platform !== "linux") context.skip("there is no /proc here");
    const secrets = secretTexts();
    expect(secrets.length).toBeGreaterThan(100);
    for (const service of atWork()) {
      const environment = readFileSync(`/proc/${running.pidOf(service)}/environ`, "utf8");
      expect(
        secrets.filter((secret) => environment.includes(secret)),
        service,
      ).toEqual([]);
    }
  });

  it("has compiled code for the user of each container", async (context) => {
    if (running.notOwnUsers !== null) context.skip(running.notOwnUsers);
    const compiled = join(folder, "image/.compiled");
    for (const service of atWork().filter((name) => name !== "redis")) {
      const { uid = -1 } = file.services[service]?.user ?? {};
      const own = readdirSync(compiled).filter((name) => name.endsWith(`-${uid}`));
      expect(own, service).toHaveLength(1);
      const code = readdirSync(join(compiled, own[0] ?? "")).map((name) =>
        join(compiled, own[0] ?? "", name),
      );
      expect(code.length).toBeGreaterThan(500);
      expect(code.filter((path) => (statSync(path).mode & 0o777) !== 0o644)).toEqual([]);
      const some = code.slice(0, 1);
      expect(await pathsThat(service, CAN_READ, some), service).toEqual(some);
    }
  });

  it("finds what is compiled, and compiles nothing anew", () => {
    const inMemory = readdirSync(join(folder, "memory"), { recursive: true, encoding: "utf8" });
    expect(inMemory.filter((path) => /[\\/]\.?compiled/.test(path))).toEqual([]);
  });

  it("lets no process write to the application or to its secrets, or gain a capability", async (context) => {
    if (running.notOwnUsers !== null) context.skip(running.notOwnUsers);
    for (const service of atWork()) {
      const compiled = join(".compiled", readdirSync(join(folder, "image/.compiled"))[0] ?? "");
      const [code = ""] = readdirSync(join(folder, "image", compiled));
      const places = [
        "services/x",
        "node_modules/x",
        "shared/envelope/index.ts",
        ".compiled/x",
        join(compiled, "x"),
        join(compiled, code),
      ].map((path) => join(folder, "image", path));
      const secrets = secretFiles().map(({ path }) => path);
      expect(await pathsThat(service, CAN_WRITE, [...places, ...secrets]), service).toEqual([]);
      const status = readFileSync(`/proc/${running.pidOf(service)}/status`, "utf8");
      expect(status, service).toMatch(/^CapEff:\s+0+$/m);
      expect(status, service).toMatch(/^CapBnd:\s+0+$/m);
      expect(status, service).toMatch(/^NoNewPrivs:\s+1$/m);
    }
  });

  it("lets nobody into Redis without a password, and under a role's only into what is its own", async () => {
    const url = readFileSync(join(running.folders.volume("secrets-agent-reply"), "redis-url"), "utf8").trim();
    const { host = "", port = "" } = /@(?<host>[\d.]+):(?<port>\d+)$/.exec(url)?.groups ?? {};
    const login = /\/\/(?<user>.*):(?<password>.*)@/.exec(url)?.groups ?? {};
    const ask = (...commands: string[]): Promise<string> =>
      askOnce({ socket: "", host, port: Number(port), password: "" }, ...commands);
    const asItself = `AUTH ${login["user"]} ${login["password"]}`;
    expect(await ask("GET suture:x")).toMatch(/^-NOAUTH/);
    expect(await ask("AUTH health any", "PING")).toBe("+PONG");
    expect(await ask("AUTH health any", "GET suture:x")).toMatch(/^-NOPERM/);
    for (const key of ["ward:{s0}/case:x", "gateway:{s0}/idempotency:x", "{people}/records"])
      expect(await ask(asItself, `HGETALL suture:${key}`), key).toMatch(/^-NOPERM/);
    expect(await ask(asItself, "HGETALL suture:{s0}/led/reply:x")).toMatch(/^\*/);
  });

  it("gives the reader of uploaded files no way into Redis, and no secret but its own token", async () => {
    const onIt = services.filter(([, { networks }]) => networks.includes("reading"));
    expect(onIt.map(([name]) => name)).toEqual(["reader", "agent-ingest"]);
    expect(file.services["reader"]?.networks).toEqual(["reading"]);
    const own = secretFiles().filter(({ owner }) => owner === "reader");
    expect(own.map(({ path }) => basename(path))).toEqual(["reader-token"]);
    // Networks are not rehearsed: what is tried from inside meets Redis itself.
    const url = readFileSync(join(running.folders.volume("secrets-agent-reply"), "redis-url"), "utf8").trim();
    const [, host = "", port = ""] = /@([\d.]+):(\d+)$/.exec(url) ?? [];
    const script = `const s = require("node:net").connect(${port}, "${host}", () => s.write("PING\\r\\nGET suture:x\\r\\n"));
      s.on("data", (told) => { console.log(String(told), Object.keys(process.env).join()); s.destroy(); });`;
    const { output } = await running.runAs("reader", { command: "node", args: ["-e", script] });
    expect(output).toMatch(/-NOAUTH/);
    expect(output).not.toMatch(/PONG|REDIS|KEY/);
  });

  it("is told by the doctor to be as it should, in each container and as its own user", async () => {
    for (const service of ["surgeon", "gateway", "agent-reply"]) {
      const { code, output } = await running.runAs(service, {
        command: "node",
        args: ["services/cli/main.ts", "doctor", "--json"],
      });
      const { findings } = doctorSchema.parse(JSON.parse(output));
      const of = (state: string): string[] =>
        findings.filter((one) => one.state === state).map(({ check }) => check);
      expect(of("failed"), service).toEqual([]);
      expect(code, service).toBe(0);
      expect(of("ok"), service).toEqual(
        expect.arrayContaining([
          "secrets of others",
          "signers of a process",
          "Redis password",
          "Redis keys of others",
          "Redis commands",
          "master key",
        ]),
      );
    }
  });

  it("stops when it is told to", async () => {
    const codes = Object.entries(await running.stop()).filter(([, code]) => code !== 0);
    expect(codes).toEqual([]);
  });
});

const WITHIN = { timeout: 180_000, interval: 1000 } as const;
/** Lacks a value that the customer tells a person. */
const NEEDS_PERSON = "message-22";
const HEALED_MESSAGES = 4;

/** The first task of each team, messages that are healed, and one that waits for a person. */
function chooseSamples(samples: readonly Sample[]): Sample[] {
  const tasks = samples.filter(({ kind }) => kind === "task");
  const first = [...new Map(tasks.toReversed().map((task) => [task.team, task])).values()];
  const messages = samples.flatMap((one) => (one.kind === "message" ? [one] : []));
  const healed = messages.filter(({ expect: ending }) => ending === "first_aid").slice(0, HEALED_MESSAGES);
  return [...first, ...healed, ...messages.filter(({ id }) => id === NEEDS_PERSON)];
}
