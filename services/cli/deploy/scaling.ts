import type { IScaledObject, ITriggerAuthentication } from "@kubernetes-models/keda/keda.sh/v1alpha1";
import { parseRedisUrl } from "#shared/config";
import type { RedisAddress } from "#shared/config";
import { Keys } from "#shared/store";
import { retryQueueOf } from "#shared/store/queues";
import { CommandRefusedError } from "../errors.ts";
import type { AgentContainer } from "../compose/containers.ts";
import { objectName } from "./object-name.ts";
import { podsOf } from "./workloads.ts";

type Trigger = IScaledObject["spec"]["triggers"][number];

/** Keys of a queue that hold its messages: a list, a sorted set, a list, a sorted set. A paused queue's are none. */
const STATES = ["wait", "prioritized", "active", "delayed"] as const;
const REPLICAS_MAX = 10;
/** `SUTURE_CONCURRENCY`: its default. */
const CONCURRENCY = 8;
const LOGIN = "scaler";

/** The Redis that holds the runs of a deployment. */
export interface RedisPlace {
  /** Addresses without a user, in the order of shards; one, of a cluster, for all shards. */
  readonly addresses: readonly string[];
  readonly shards: number;
}

/** Returns the parts of an address. @throws {CommandRefusedError} It is none. */
export function addressOf(url: string): RedisAddress {
  const parsed = parseRedisUrl(url);
  if ("address" in parsed && parsed.address.socket === null) return parsed.address;
  const problem = "problem" in parsed ? parsed.problem : "is a socket, which no other pod reaches";
  throw new CommandRefusedError(
    `The address of Redis ${problem}.`,
    "See docs/operating/redis.md for their forms.",
  );
}

/** Returns the login with which KEDA counts messages. */
export function scalerLogin(): ITriggerAuthentication {
  return {
    apiVersion: "keda.sh/v1alpha1",
    kind: "TriggerAuthentication",
    metadata: { name: LOGIN },
    spec: {
      secretTargetRef: ["username", "password"].map((key) => ({ parameter: key, name: LOGIN, key })),
    },
  };
}

/**
 * Returns what scales an agent: by all messages that wait, are worked on, or will be tried again, in every shard. One
 * replica for as many as a process handles at once; none where the agent allows it and there is no message.
 */
export function scaledObject(agent: AgentContainer, prefix: string, place: RedisPlace): IScaledObject {
  const name = objectName(agent.name);
  const target = String(agent.concurrency ?? CONCURRENCY);
  const triggers = Array.from({ length: place.shards }, (_, shard) => {
    const keys = new Keys(prefix, shard);
    const address = addressOf(place.addresses[shard] ?? place.addresses[0] ?? "");
    return [agent.agent, retryQueueOf(agent.agent)].flatMap((queue, lane) =>
      STATES.map((state) =>
        trigger(
          `${lane === 0 ? "first" : "retry"}_${state}_${shard}`,
          `${keys.queueBase(queue)}${state}`,
          target,
          address,
        ),
      ),
    );
  }).flat();
  return {
    apiVersion: "keda.sh/v1alpha1",
    kind: "ScaledObject",
    metadata: { name, labels: podsOf(name) },
    spec: {
      scaleTargetRef: { name },
      minReplicaCount: agent.stopsWhenIdle ? 0 : 1,
      maxReplicaCount: REPLICAS_MAX,
      pollingInterval: 10,
      cooldownPeriod: 300,
      // Without a formula KEDA takes the longest of the lists, not their sum.
      advanced: {
        scalingModifiers: {
          formula: triggers.map(({ name: one }) => one).join(" + "),
          target,
          activationTarget: "0",
          metricType: "AverageValue",
        },
      },
      triggers,
    },
  };
}

const TYPES = { single: "redis", cluster: "redis-cluster", sentinel: "redis-sentinel" } as const;

function trigger(name: string, listName: string, listLength: string, address: RedisAddress): Trigger {
  const nodes = address.nodes.map(({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`);
  const place = {
    single: { address: nodes[0] ?? "", databaseIndex: String(address.database) },
    cluster: { addresses: nodes.join(",") },
    sentinel: { addresses: nodes.join(","), sentinelMaster: address.masterName },
  }[address.kind];
  return {
    name,
    type: TYPES[address.kind],
    metadata: { ...place, listName, listLength, ...(address.isTls ? { enableTLS: "true" } : {}) },
    authenticationRef: { name: LOGIN },
  };
}
