import type { IStatefulSet } from "kubernetes-models/apps/v1";
import type { IService } from "kubernetes-models/v1";
import type { Container } from "../compose/containers.ts";
import { CONFINED, confinedPod, secretName } from "./deployments.ts";
import { podsOf, PORT } from "./workloads.ts";

export const REDIS_IMAGE = "valkey/valkey:8-alpine";

/** Users guard it, and a policy of the network: the protected mode would refuse both. */
const ARGUMENTS = [
  "valkey-server",
  "/etc/suture/redis.conf",
  "--dir",
  "/data",
  "--aclfile",
  "/run/secrets/users.acl",
  "--maxmemory",
  "1gb",
  "--protected-mode",
  "no",
];

/** A user that may ask whether Redis answers, and nothing else. */
const PING = ["valkey-cli", "--user", "health", "--pass", "health", "--no-auth-warning", "-e", "ping"];

/** Returns one Redis, or several that are shards: each has a volume and a name of its own, `redis-0.redis`. */
export function redisObjects(container: Container): (IStatefulSet | IService)[] {
  const metadata = { name: "redis", labels: podsOf("redis") };
  const probe = { exec: { command: PING }, timeoutSeconds: 5 };
  const server: IStatefulSet = {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata,
    spec: {
      serviceName: "redis",
      // A later shard need not wait for an earlier one.
      podManagementPolicy: "Parallel",
      selector: { matchLabels: podsOf("redis") },
      template: {
        metadata: { labels: podsOf("redis") },
        spec: {
          ...confinedPod("redis", container, container.gid),
          // It writes what it holds before it ends.
          terminationGracePeriodSeconds: 120,
          containers: [
            {
              name: "redis",
              image: REDIS_IMAGE,
              command: ARGUMENTS,
              ports: [{ name: "redis", containerPort: PORT.redis }],
              // Loading a large append-only file takes minutes.
              startupProbe: { ...probe, periodSeconds: 2, failureThreshold: 600 },
              readinessProbe: { ...probe, periodSeconds: 5 },
              livenessProbe: { ...probe, periodSeconds: 10, failureThreshold: 6 },
              resources: { requests: { cpu: "500m", memory: "1536Mi" }, limits: { memory: "2Gi" } },
              securityContext: CONFINED,
              volumeMounts: [
                { name: "data", mountPath: "/data" },
                { name: "tmp", mountPath: "/tmp" },
                { name: "configuration", mountPath: "/etc/suture", readOnly: true },
                { name: "secrets", mountPath: "/run/secrets", readOnly: true },
              ],
            },
          ],
          volumes: [
            { name: "tmp", emptyDir: { medium: "Memory", sizeLimit: "16Mi" } },
            { name: "configuration", configMap: { name: "redis" } },
            {
              name: "secrets",
              secret: { secretName: secretName("users.acl", container), defaultMode: 0o440 },
            },
          ],
        },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "8Gi" } } },
        },
      ],
    },
  };
  const service: IService = {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    // Names of pods, also of one that is not ready: its clients wait for it.
    spec: {
      clusterIP: "None",
      publishNotReadyAddresses: true,
      selector: podsOf("redis"),
      ports: [{ name: "redis", port: PORT.redis }],
    },
  };
  return [server, service];
}
