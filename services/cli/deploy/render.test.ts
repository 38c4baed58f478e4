import fc from "fast-check";
import { parseAllDocuments } from "yaml";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { loadConfig } from "#shared/config";
import { contract } from "#shared/contract";
import { agent, edgesOf, team } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { temporaryFolder } from "#shared/testing";
import { CommandRefusedError } from "../errors.ts";
import { secretFiles } from "./deploy-secrets.ts";
import { manifests } from "./render.ts";
import type { RenderChoices, RenderedFile } from "./render.ts";

const CHOICES: RenderChoices = {
  namespace: "suture",
  image: "registry.example/suture:1",
  shards: 3,
  redis: "rediss://redis.example:6380",
  prefix: "suture",
  fileTeams: [],
};
const anything = contract("any.thing@1", z.object({}));

interface Declared {
  readonly name: string;
  readonly timeoutMs: number;
  readonly asksModels: boolean;
  readonly stopsWhenIdle: boolean;
}

/** A team whose first agent hands to all others. */
function teamOf(name: string, declared: readonly Declared[]): Team {
  const [first, ...others] = declared.map(({ name: own, timeoutMs, asksModels, stopsWhenIdle }, index) =>
    agent(`${own}@1`, {
      accepts: anything,
      answers: asksModels ? [anything] : [],
      handlerTimeoutMs: timeoutMs,
      stopsWhenIdle,
      to: index === 0 ? Object.fromEntries(declared.slice(1).map((one) => [one.name, anything])) : {},
      handle: (_input, ctx) => ctx.complete({}),
    }),
  );
  if (first === undefined) throw new RangeError("a team has an agent");
  return team(name, [first, ...others]);
}

/** Agents and teams of any name that a team takes. */
const names = fc.uniqueArray(
  fc
    .stringMatching(/^[a-z][a-z0-9-]{0,62}$/)
    .filter((name) => !["gateway", "surgeon", "ward", "console", "runs"].includes(name)),
  { minLength: 2, maxLength: 5 },
);
const teams = fc.tuple(names, fc.string({ minLength: 1, maxLength: 90 })).chain(([all, name]) =>
  fc
    .tuple(
      ...all.map((own) =>
        fc.record<Declared>({
          name: fc.constant(own),
          timeoutMs: fc.integer({ min: 1, max: 3_600_000 }),
          asksModels: fc.boolean(),
          stopsWhenIdle: fc.boolean(),
        }),
      ),
    )
    .map((declared) => ({ declared, team: teamOf(name, declared) })),
);

const objectSchema = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()).default({}) }),
});
const podSchema = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z.looseObject({
    terminationGracePeriodSeconds: z.number(),
    containers: z.tuple([
      z.looseObject({
        command: z.array(z.string()),
        env: z.array(z.object({ name: z.string(), value: z.string() })),
      }),
    ]),
    volumes: z.array(
      z.looseObject({
        projected: z
          .object({ sources: z.array(z.object({ secret: z.object({ name: z.string() }) })) })
          .optional(),
      }),
    ),
  }),
});
const deploymentSchema = objectSchema.extend({ spec: z.object({ template: podSchema }) });
const scaledSchema = objectSchema.extend({
  spec: z.object({
    minReplicaCount: z.number(),
    triggers: z.array(z.object({ name: z.string(), metadata: z.record(z.string(), z.string()) })),
    advanced: z.object({ scalingModifiers: z.object({ formula: z.string() }) }),
  }),
});

const objectsIn = (files: readonly RenderedFile[]) =>
  files
    .filter(({ path }) => path.endsWith(".yaml") && !path.endsWith("kustomization.yaml"))
    .flatMap(({ path, text }) =>
      parseAllDocuments(text).map((document) => ({ path, ...objectSchema.parse(document.toJS()) })),
    );

/** An agent's pod with all that is given to it. */
function podsIn(files: readonly RenderedFile[]) {
  return objectsIn(files)
    .filter(({ kind }) => kind === "Deployment")
    .map((object) => ({ name: object.metadata.name, ...deploymentSchema.parse(object).spec.template }));
}

function keysOf(secrets: readonly RenderedFile[], secret: string): string[] {
  const text = secrets.find(({ path }) => path === `secrets/all/${secret}/keys.json`)?.text ?? "{}";
  const file = z
    .object({ keys: z.array(z.object({ from: z.string(), to: z.string() })) })
    .parse(JSON.parse(text));
  return file.keys.map(({ from, to }) => `${from}>${to}`).toSorted();
}

function secretsOf(all: readonly Team[], choices = CHOICES): RenderedFile[] {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  return secretFiles(all, loadConfig({ SUTURE_DATA_DIR: temporaryFolder() }), choices);
}

describe("of any team", () => {
  it("each agent has one Deployment, with time for its longest step, and a way out only if it asks models", () => {
    fc.assert(
      fc.property(teams, ({ declared, team: one }) => {
        const pods = podsIn(manifests([one], CHOICES));
        for (const { name, timeoutMs, asksModels } of declared) {
          const own = pods.filter(({ spec }) => spec.containers[0].command.at(-1) === name);
          expect(own).toHaveLength(1);
          const [pod] = own;
          const graceMs = pod?.spec.containers[0].env.find((entry) => entry.name === "SUTURE_STOP_GRACE_MS");
          expect(Number(graceMs?.value)).toBeGreaterThanOrEqual(timeoutMs);
          expect((pod?.spec.terminationGracePeriodSeconds ?? 0) * 1000).toBeGreaterThan(
            Number(graceMs?.value),
          );
          expect(pod?.metadata.labels["suture/outside"]).toBe(asksModels ? "true" : undefined);
          expect(pod?.spec.containers[0].command).toContain(`--team=${one.name}`);
        }
        expect(pods).toHaveLength(declared.length + 3);
      }),
      { numRuns: 20 },
    );
  });

  it("an agent is given the keys of its own edges and of no others, by no pod but its own", () => {
    fc.assert(
      fc.property(teams, ({ declared, team: one }) => {
        const secrets = secretsOf([one]);
        const pods = podsIn(manifests([one], CHOICES));
        const given = pods.map(({ name, spec }) => ({
          name,
          agent: spec.containers[0].command.at(-1),
          keys: spec.volumes
            .flatMap(({ projected }) => projected?.sources ?? [])
            .map(({ secret }) => secret.name)
            .filter((secret) => secret.startsWith("keys-")),
        }));
        for (const { name } of declared) {
          const keys = given.find((pod) => pod.agent === name)?.keys ?? [];
          expect(keys).toHaveLength(1);
          const edges = edgesOf([one]).filter(({ from, to }) => [from, to].includes(name));
          expect(keysOf(secrets, keys[0] ?? "")).toEqual(
            edges.map(({ from, to }) => `${from}>${to}`).toSorted(),
          );
        }
        const all = given.flatMap(({ keys }) => keys);
        expect(new Set(all).size).toBe(all.length);
      }),
      { numRuns: 15 },
    );
  });

  it("every name and every label is one that Kubernetes takes, and no two objects share one", () => {
    fc.assert(
      fc.property(teams, ({ team: one }) => {
        const objects = objectsIn(manifests([one], CHOICES));
        const ids = objects.map(
          ({ path, kind, metadata }) => `${path.split("/overlays/")[0]} ${kind} ${metadata.name}`,
        );
        expect(new Set(ids).size).toBe(ids.length);
        for (const { metadata } of objects)
          expect(metadata.name).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,50}[a-z0-9])?$/);
        for (const { metadata } of podsIn(manifests([one], CHOICES)))
          for (const value of Object.values(metadata.labels))
            expect(value).toMatch(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/);
      }),
      { numRuns: 20 },
    );
  });

  it("each agent is scaled by every queue of its own in every shard, to none only where it allows it", () => {
    fc.assert(
      fc.property(teams, ({ declared, team: one }) => {
        const scaled = objectsIn(manifests([one], CHOICES)).filter(({ kind }) => kind === "ScaledObject");
        for (const { name, stopsWhenIdle } of declared) {
          const states = ["wait", "prioritized", "active", "delayed"];
          const lists = (shards: number): string[] =>
            Array.from({ length: shards }, (_, shard) =>
              [name, `${name}.retry`].flatMap((queue) =>
                states.map((state) => `suture:{s${shard}}:${queue}:${state}`),
              ),
            ).flat();
          const own = scaled
            .map((object) => ({ path: object.path, ...scaledSchema.parse(object).spec }))
            .filter(({ triggers }) => triggers[0]?.metadata["listName"] === `suture:{s0}:${name}:wait`);
          expect(own.map(({ path }) => path.split("/")[1])).toEqual([
            "one-node",
            "many-nodes",
            "managed-redis",
          ]);
          for (const [index, { triggers, minReplicaCount, advanced }] of own.entries()) {
            expect(triggers.map(({ metadata }) => metadata["listName"])).toEqual(
              lists([1, 3, 1][index] ?? 0),
            );
            expect(advanced.scalingModifiers.formula).toBe(
              triggers.map((trigger) => trigger.name).join(" + "),
            );
            expect(minReplicaCount).toBe(stopsWhenIdle ? 0 : 1);
          }
        }
      }),
      { numRuns: 20 },
    );
  });
});

const plain = (name: string): Declared => ({ name, timeoutMs: 1000, asksModels: true, stopsWhenIdle: false });

it("agents that run untrusted code, and no others, have the profile that lets them isolate it", () => {
  const coder = teamOf("coder", [plain("explorer"), plain("planner")]);
  const files = manifests([coder], CHOICES);
  const withProfile = podsIn(files).filter((pod) =>
    JSON.stringify(pod).includes("suture/sandbox-seccomp.json"),
  );
  expect(withProfile.map(({ name }) => name)).toEqual(["agent-explorer"]);
  expect(files.find(({ path }) => path === "nodes/sandbox-seccomp.json")?.text).toContain("SCMP_ACT_");
  expect(
    manifests([teamOf("hello", [plain("hello")])], CHOICES).some(({ path }) => path.startsWith("nodes")),
  ).toBe(false);
});

it("writes what the golden file says for the team of a new project", async () => {
  const files = manifests([teamOf("hello", [plain("hello")])], { ...CHOICES, shards: 2 });
  const shown = files.filter(({ path }) => !/suture\.json|redis\.conf|monitoring\.yaml/.test(path));
  const text = shown.map((file) => `=== ${file.path}\n${file.text}`).join("");
  await expect(text).toMatchFileSnapshot("render.golden.txt");
});

it("lets pods reach the ports of a Redis elsewhere, and the master that sentinels name", () => {
  const networkOf = (redis: string): string =>
    manifests([teamOf("hello", [plain("hello")])], { ...CHOICES, redis }).find(
      ({ path }) => path === "overlays/managed-redis/network.yaml",
    )?.text ?? "";
  const portsOf = (redis: string): string[] =>
    [...networkOf(redis).matchAll(/port: (\d+)/g)].map(([, port]) => port ?? "");
  expect(portsOf("rediss://a:6380 rediss://b:6381")).toEqual(["6380", "6381"]);
  expect(portsOf("redis-sentinel://a,b/mymaster")).toEqual(["26379", "6379"]);
});

it("tells KEDA where a cluster and sentinels are, and keeps all shards of a cluster at its one address", () => {
  const scalingOf = (redis: string): string =>
    manifests([teamOf("hello", [plain("hello")])], { ...CHOICES, redis }).find(
      ({ path }) => path === "overlays/managed-redis/scaling.yaml",
    )?.text ?? "";
  const cluster = scalingOf("rediss-cluster://a:6379,b:6380");
  expect(cluster).toContain("type: redis-cluster");
  expect(cluster).toContain("addresses: a:6379,b:6380");
  expect(cluster).toContain("suture:{s2}:hello:wait");
  expect(scalingOf("redis-sentinel://a/mymaster")).toContain("sentinelMaster: mymaster");
});

it.each([
  ["no address", "nowhere"],
  ["a socket, which no pod reaches", "redis+unix:///run/redis.sock"],
  ["two clusters", "redis-cluster://a redis-cluster://b"],
])("refuses %s", (_, redis) => {
  expect(() => manifests([teamOf("hello", [plain("hello")])], { ...CHOICES, redis })).toThrow(
    CommandRefusedError,
  );
});

it("gives Prometheus a key that only reads, and no agent the keys of the API", () => {
  const one = teamOf("hello", [plain("hello")]);
  const secrets = secretsOf([one]);
  const keys = secrets.find(({ path }) => path === "secrets/all/api-keys/api-keys")?.text ?? "";
  const token = secrets.find(({ path }) => path === "secrets/all/metrics-key/token")?.text ?? "none";
  expect(
    loadConfig({ SUTURE_API_KEYS: keys.trim() }).apiKeys?.map(({ name, scope }) => `${name} ${scope}`),
  ).toEqual(["local admin", "prometheus viewer"]);
  expect(keys).toContain(`prometheus:viewer:${token}`);
  const agents = podsIn(manifests([one], CHOICES)).filter(({ name }) => name.startsWith("agent-"));
  expect(JSON.stringify(agents)).not.toContain("api-keys");
});
