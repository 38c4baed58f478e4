import { readFileSync } from "node:fs";
import { stringify } from "yaml";
import type { Team } from "#shared/runtime";
import {
  agentContainers,
  readerContainers,
  redisContainer,
  serviceContainers,
} from "../compose/containers.ts";
import type { AgentContainer, ComposeChoices, Container } from "../compose/containers.ts";
import { CommandRefusedError } from "../errors.ts";
import { REDIS_CONF } from "../init/init-project.ts";
import { objectsOf, SETTINGS_OF_ALL } from "./deployments.ts";
import { dashboard, monitoringObjects } from "./monitoring.ts";
import { policies, policiesOfManagedRedis, policiesOfRedis } from "./network.ts";
import { redisObjects } from "./redis-server.ts";
import { addressOf, scaledObject, scalerLogin } from "./scaling.ts";
import type { RedisPlace } from "./scaling.ts";
import { agentWorkload, PORT, readerWorkload, serviceWorkload } from "./workloads.ts";
import type { Workload } from "./workloads.ts";

/** Choices of people beyond the loaded teams. */
export interface RenderChoices extends ComposeChoices {
  readonly namespace: string;
  /** Image of all services and agents, as a node pulls it. */
  readonly image: string;
  /** Shards of the overlay for many nodes, and of a cluster at `redis`. */
  readonly shards: number;
  /** Addresses of a Redis elsewhere, with spaces between shards, without a user. Default: no overlay for it. */
  readonly redis?: string;
  /** First part of every Redis key. */
  readonly prefix: string;
}

/** A file below the folder of a deployment. */
export interface RenderedFile {
  readonly path: string;
  readonly text: string;
}

/** One way to run all: a kustomize overlay, with the Redis that it uses. */
export interface Overlay extends RedisPlace {
  readonly name: "one-node" | "many-nodes" | "managed-redis";
}

const SANDBOX_PROFILE = new URL("../../../deploy/sandbox-seccomp.json", import.meta.url);

/** First line of what is written, by which a folder is known as one of these. */
export const MARK = '# Written by "suture deploy render": make changes in an overlay of your own.\n';

/** Returns the overlays. @throws {CommandRefusedError} An address of Redis is none. */
export function overlaysOf({ namespace, shards, redis }: RenderChoices): Overlay[] {
  const inCluster = (count: number): string[] =>
    Array.from(
      { length: count },
      (_, shard) => `redis://redis-${shard}.redis.${namespace}.svc:${PORT.redis}`,
    );
  const own: Overlay[] = [
    { name: "one-node", addresses: inCluster(1), shards: 1 },
    { name: "many-nodes", addresses: inCluster(shards), shards },
  ];
  const addresses = redis?.trim().split(/\s+/) ?? [];
  const isCluster = addresses.some((address) => addressOf(address).kind === "cluster");
  if (isCluster && addresses.length > 1)
    throw new CommandRefusedError(
      "A cluster is one address with commas between its nodes.",
      "Name it alone.",
    );
  return addresses.length === 0
    ? own
    : [...own, { name: "managed-redis", addresses, shards: isCluster ? shards : addresses.length }];
}

/** Returns the containers of a deployment on Kubernetes: all but the stand-in of the outside systems. */
export function containersOf(teams: readonly Team[], choices: ComposeChoices) {
  const agents = agentContainers(teams, choices);
  const services = serviceContainers().filter(({ name }) => name !== "sandbox");
  return { agents, services, readers: readerContainers(agents), redis: redisContainer() };
}

/** Returns all manifests, without any secret. @throws {CommandRefusedError} Two agents would have one name. */
export function manifests(teams: readonly Team[], choices: RenderChoices): RenderedFile[] {
  const { agents, services, readers, redis } = containersOf(teams, choices);
  const mayStop = teams.some(({ entry }) => entry.options.stopsWhenIdle === true);
  // An agent that is stopped because nothing waits is not missing.
  const gateway = mayStop ? { SUTURE_READY_WITHOUT_AGENTS: "true" } : {};
  const workloads = [
    ...services.map((one) => serviceWorkload(one, one.name === "gateway" ? gateway : {})),
    ...readers.map(readerWorkload),
    ...agents.map(agentWorkload),
  ];
  refuseTwins(workloads);
  const files = workloads.map((one) =>
    yaml(`base/workloads/${one.name}.yaml`, objectsOf(one, choices.image)),
  );
  return [
    ...files,
    yaml("base/network.yaml", policies(readers.length > 0)),
    yaml("base/volumes.yaml", volumeClaims([...services, ...readers, ...agents])),
    kustomization("base", {
      resources: ["network.yaml", "volumes.yaml", ...files.map(({ path }) => path.slice("base/".length))],
      configMapGenerator: [
        { name: "settings", literals: literals({ ...SETTINGS_OF_ALL, SUTURE_PREFIX: choices.prefix }) },
      ],
    }),
    yaml("redis/redis.yaml", [...redisObjects(redis), ...policiesOfRedis()]),
    { path: "redis/redis.conf", text: readFileSync(REDIS_CONF, "utf8") },
    kustomization("redis", {
      resources: ["redis.yaml"],
      configMapGenerator: [{ name: "redis", files: ["redis.conf"] }],
    }),
    yaml("monitoring/monitoring.yaml", monitoringObjects()),
    { path: "monitoring/suture.json", text: dashboard() },
    kustomization("monitoring", {
      resources: ["monitoring.yaml"],
      configMapGenerator: [
        { name: "suture-dashboard", files: ["suture.json"], options: { labels: { grafana_dashboard: "1" } } },
      ],
    }),
    ...(workloads.some(({ container }) => container.isolatesCode === true)
      ? [{ path: "nodes/sandbox-seccomp.json", text: readFileSync(SANDBOX_PROFILE, "utf8") }]
      : []),
    ...overlaysOf(choices).flatMap((overlay) => overlayFiles(overlay, agents, choices)),
  ];
}

function overlayFiles(
  overlay: Overlay,
  agents: readonly AgentContainer[],
  { namespace, prefix }: RenderChoices,
): RenderedFile[] {
  const { name, addresses, shards } = overlay;
  const folder = `overlays/${name}`;
  const known = addresses.map(addressOf);
  const isManaged = name === "managed-redis";
  const isCluster = known.some(({ kind }) => kind === "cluster");
  const ports = known.flatMap(({ kind, nodes }) => [
    ...nodes.map(({ port }) => port),
    // Sentinels name a master, which listens elsewhere.
    ...(kind === "sentinel" ? [PORT.redis] : []),
  ]);
  const setting = isCluster
    ? { REDIS_URL: "@/run/secrets/redis-url", SUTURE_SHARDS: String(shards) }
    : { SUTURE_REDIS_URLS: "@/run/secrets/redis-url" };
  const shared = ["base", "monitoring", ...(isManaged ? [] : ["redis"])];
  const many = {
    replicas: [{ name: "gateway", count: 2 }, ...(isManaged ? [] : [{ name: "redis", count: shards }])],
    patches: [
      {
        // Gateways and agents on several nodes read what clients upload.
        target: { kind: "PersistentVolumeClaim", name: "files" },
        patch: "- { op: replace, path: /spec/accessModes, value: [ReadWriteMany] }\n",
      },
    ],
  };
  const scaling = [scalerLogin(), ...agents.map((agent) => scaledObject(agent, prefix, overlay))];
  return [
    yaml(`${folder}/scaling.yaml`, scaling),
    ...(isManaged ? [yaml(`${folder}/network.yaml`, policiesOfManagedRedis(ports))] : []),
    kustomization(folder, {
      namespace,
      resources: [
        ...shared.map((one) => `../../${one}`),
        "scaling.yaml",
        ...(isManaged ? ["network.yaml"] : []),
      ],
      labels: [{ pairs: { "app.kubernetes.io/part-of": "suture" } }],
      configMapGenerator: [{ name: "settings", behavior: "merge", literals: literals(setting) }],
      ...(name === "one-node" ? {} : many),
    }),
  ];
}

function refuseTwins(workloads: readonly Workload[]): void {
  const names = workloads.map(({ name }) => name);
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin !== undefined)
    throw new CommandRefusedError(
      `Two workloads would be called ${twin}.`,
      "Give one of the agents another name.",
    );
}

function volumeClaims(containers: readonly Container[]): object[] {
  const names = [...new Set(containers.flatMap(({ volume }) => volume ?? []))];
  return names.map((name) => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: name === "files" ? "20Gi" : "1Gi" } },
    },
  }));
}

/** Returns `kustomization.yaml` of a folder. */
export function kustomization(folder: string, fields: object): RenderedFile {
  const all = { apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization", ...fields };
  return yaml(`${folder}/kustomization.yaml`, [all]);
}

const literals = (values: Readonly<Record<string, string>>): string[] =>
  Object.entries(values).map(([name, value]) => `${name}=${value}`);

function yaml(path: string, objects: readonly object[]): RenderedFile {
  const texts = objects.map((one) => stringify(one, { lineWidth: 0, aliasDuplicateObjects: false }));
  return { path, text: `${MARK}${texts.join("---\n")}` };
}
