import type { IDeployment } from "kubernetes-models/apps/v1";
import type { IPodDisruptionBudget } from "kubernetes-models/policy/v1";
import type { IContainer, IPodSpec, IPodTemplateSpec, IProbe, IService, IVolume } from "kubernetes-models/v1";
import type { Container, SecretFile } from "../compose/containers.ts";
import { objectName } from "./object-name.ts";
import { podsOf, PORT } from "./workloads.ts";
import type { Health, Workload } from "./workloads.ts";

const DATA_DIR = "/var/suture";
const SECRETS_DIR = "/run/secrets";

/** Beyond `SUTURE_STOP_GRACE_MS` a process takes 5 s at most to let go of Redis; the rest is for a busy node. */
const STOP_MARGIN_SECONDS = 15;
/** A node that is silent this long is replaced. Its messages were taken over before, when their locks ran out. */
const NODE_GONE_SECONDS = 30;
/** Readable by the pod's group, writable by nobody. */
const SECRET_MODE = 0o440;
/** Measured: while it waits, a process takes a hundredth of a core, and in MiB an agent 118, a service 138 to 167. */
const RESOURCES = { cpu: "50m", agentMemory: "160Mi", serviceMemory: "256Mi", memoryMax: "512Mi" };

/** Settings that name a file of secrets, by the file. */
const SETTINGS: Readonly<Partial<Record<SecretFile, string>>> = {
  "keys.json": "SUTURE_KEYS",
  "model-key": "OPENAI_API_KEY",
  "api-keys": "SUTURE_API_KEYS",
  "reader-token": "SUTURE_READER_TOKEN",
};

/** Returns the name of the Secret that holds a file. Keys are the container's own, a login to Redis its role's. */
export function secretName(file: SecretFile, { name, redisUser }: Container): string {
  switch (file) {
    case "keys.json":
      return objectName(`keys-${name}`);
    case "redis-url":
      return `redis-${redisUser}`;
    case "users.acl":
      return "redis-users";
    case "model-key":
    case "api-keys":
    case "reader-token":
      return file;
  }
}

/** Bounds of every container. */
export const CONFINED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
};

/** Returns the objects of a workload: what runs it, what bounds its disruption, and its name in the cluster. */
export function objectsOf(
  workload: Workload,
  image: string,
): (IDeployment | IPodDisruptionBudget | IService)[] {
  const { name, container, port } = workload;
  const metadata = { name, labels: podsOf(name) };
  const deployment: IDeployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: {
      // No number of replicas: KEDA sets that of agents, an overlay that of services.
      selector: { matchLabels: podsOf(name) },
      // Two consoles would write one folder of sessions.
      ...(container.volume === "console" ? { strategy: { type: "Recreate" } } : {}),
      template: podOf(workload, image),
    },
  };
  const budget: IPodDisruptionBudget = {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata,
    spec: { maxUnavailable: 1, selector: { matchLabels: podsOf(name) } },
  };
  const service: IService[] =
    port === null
      ? []
      : [
          {
            apiVersion: "v1",
            kind: "Service",
            metadata,
            spec: { selector: podsOf(name), ports: [{ name: "http", port, targetPort: "http" }] },
          },
        ];
  return [deployment, budget, ...service];
}

/** Path of the profile of sandboxes, below the kubelet's folder of seccomp profiles. */
const SANDBOX_PROFILE = "suture/sandbox-seccomp.json";

/** Returns what pods of all kinds have in common: no root, no access to the cluster, spread over nodes. */
export function confinedPod(
  name: string,
  { uid, gid, isolatesCode = false }: Pick<Container, "uid" | "gid" | "isolatesCode">,
  fsGroup: number,
): Omit<IPodSpec, "containers"> {
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: uid,
      runAsGroup: gid,
      fsGroup,
      fsGroupChangePolicy: "OnRootMismatch",
      ...(isolatesCode
        ? {
            seccompProfile: { type: "Localhost", localhostProfile: SANDBOX_PROFILE },
            appArmorProfile: { type: "Unconfined" },
          }
        : { seccompProfile: { type: "RuntimeDefault" } }),
    },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: "kubernetes.io/hostname",
        whenUnsatisfiable: "ScheduleAnyway",
        labelSelector: { matchLabels: podsOf(name) },
      },
    ],
  };
}

function podOf(workload: Workload, image: string): IPodTemplateSpec {
  const { name, container, labels, stopGraceMs } = workload;
  // All that share a volume are one user, and give it to the same group.
  const fsGroup = container.volume === null ? container.gid : container.uid;
  return {
    metadata: { labels: { ...podsOf(name), ...labels } },
    spec: {
      ...confinedPod(name, container, fsGroup),
      // The pod's first process is another one: Node as the first would lose a SIGTERM while it starts.
      shareProcessNamespace: true,
      terminationGracePeriodSeconds: Math.ceil(stopGraceMs / 1000) + STOP_MARGIN_SECONDS,
      tolerations: ["not-ready", "unreachable"].map((state) => ({
        key: `node.kubernetes.io/${state}`,
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: NODE_GONE_SECONDS,
      })),
      containers: [processOf(workload, image)],
      volumes: volumesOf(container),
    },
  };
}

/** Returns the one container of a pod: nothing to write but memory and its volume. */
function processOf(workload: Workload, image: string): IContainer {
  const { container, command, port, health } = workload;
  const healthPort = health.port === port ? [] : [{ name: "health", containerPort: health.port }];
  const service = port === null ? [] : [{ name: "http", containerPort: port }];
  const secrets = { name: "secrets", mountPath: SECRETS_DIR, readOnly: true };
  const { cpu, agentMemory, serviceMemory, memoryMax } = RESOURCES;
  return {
    name: "suture",
    image,
    command: [...command],
    envFrom: [{ configMapRef: { name: "settings" } }],
    env: Object.entries(environmentOf(workload)).map(([key, value]) => ({ name: key, value })),
    ports: [...service, ...healthPort],
    ...probes(health),
    resources: {
      requests: { cpu, memory: "agent" in container ? agentMemory : serviceMemory },
      limits: { memory: memoryMax },
    },
    securityContext: CONFINED,
    volumeMounts: [
      { name: "tmp", mountPath: "/tmp" },
      { name: "data", mountPath: DATA_DIR },
      ...(container.secrets.length === 0 ? [] : [secrets]),
    ],
  };
}

/** Returns the settings of one container beyond those that all have. */
function environmentOf({ container, env }: Workload): Record<string, string> {
  const files = container.secrets.flatMap((file) => {
    const setting = SETTINGS[file];
    return setting === undefined ? [] : [[setting, `@${SECRETS_DIR}/${file}`] as const];
  });
  return { ...Object.fromEntries(files), ...env };
}

/** A start may wait for Redis; a process that is not ready is not started anew, because the reason is elsewhere. */
function probes({ port, alive, ready }: Health): Record<string, IProbe> {
  const ask = (path: string): IProbe => ({ httpGet: { path, port }, timeoutSeconds: 5 });
  return {
    startupProbe: { ...ask(alive), periodSeconds: 2, failureThreshold: 150 },
    livenessProbe: { ...ask(alive), periodSeconds: 10, failureThreshold: 6 },
    readinessProbe: { ...ask(ready), periodSeconds: 5, failureThreshold: 2 },
  };
}

function volumesOf(container: Container): IVolume[] {
  const { volume, secrets } = container;
  const memory = { medium: "Memory", sizeLimit: "128Mi" };
  const sources = secrets.map((file) => ({
    secret: { name: secretName(file, container), items: [{ key: file, path: file }] },
  }));
  return [
    { name: "tmp", emptyDir: memory },
    volume === null
      ? { name: "data", emptyDir: memory }
      : { name: "data", persistentVolumeClaim: { claimName: volume } },
    ...(sources.length === 0 ? [] : [{ name: "secrets", projected: { defaultMode: SECRET_MODE, sources } }]),
  ];
}

/** Settings of all containers, as lines of a file. */
export const SETTINGS_OF_ALL: Readonly<Record<string, string>> = {
  SUTURE_DATA_DIR: DATA_DIR,
  SUTURE_GATEWAY_HOST: "0.0.0.0",
  SUTURE_CONSOLE_HOST: "0.0.0.0",
  SUTURE_HEALTH_HOST: "0.0.0.0",
  SUTURE_HEALTH_PORT: String(PORT.health),
  // With it a service knows that this is no rehearsal.
  OPENAI_BASE_URL: "https://api.openai.com/v1",
  LOG_LEVEL: "info",
};
