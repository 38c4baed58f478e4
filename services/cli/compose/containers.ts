import { extname } from "node:path";
import { RUNTIME_LIMITS_DEFAULT } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import type { RedisUser } from "#shared/store";
import { needsSecret, SERVICES } from "../launcher/process-table.ts";

/** A file of a container's folder of secrets. */
export type SecretFile = "keys.json" | "redis-url" | "model-key" | "api-keys" | "users.acl" | "reader-token";

/** One container of a deployment, on Docker or Kubernetes: its user and its secrets. */
export interface Container {
  /** Name of its service and of its volume of secrets. */
  readonly name: string;
  /** Unix user. Containers that share a volume share it; secrets belong to the group. */
  readonly uid: number;
  /** Unix group, of this container alone. */
  readonly gid: number;
  /** Its role in Redis; null where it has none. */
  readonly redisUser: RedisUser | null;
  /** Its secrets. */
  readonly secrets: readonly SecretFile[];
  /** Named volume that is its data folder; null: memory that goes with the container. */
  readonly volume: string | null;
  /** True if it runs untrusted code in namespaces, which an engine forbids by itself. */
  readonly isolatesCode?: boolean;
}

/** The container of one agent. */
export interface AgentContainer extends Container {
  readonly agent: string;
  /** Its team, which is the folder that it loads. */
  readonly team: string;
  /** Its needs: `model-agent` gets the key of the endpoint and a way out, `reading-agent` the reader's token. */
  readonly kind: keyof typeof SECRETS;
  /** Time limit of one run of its handler, in ms. */
  readonly handlerTimeoutMs: number;
  /** Messages that one process handles at once; null: `SUTURE_CONCURRENCY`. */
  readonly concurrency: number | null;
  /** True: all its processes may stop while nothing waits for it. */
  readonly stopsWhenIdle: boolean;
}

/** True for the built package, in whose projects the code is below `node_modules`. */
export const isPackage = extname(import.meta.filename) === ".js";

/** A process of one agent mostly waits: with a small young generation it takes a fifth less memory. */
export const ONE_AGENT = ["--disable-sigusr1", "--max-semi-space-size=4"];

/** Choices of people beyond the loaded teams. */
export interface ComposeChoices {
  /** Teams whose agents read the files that clients upload. */
  readonly fileTeams: readonly string[];
}

/** User and group of the server in the image of Valkey, and of Redis. */
const REDIS_IDS = { uid: 999, gid: 1000 } as const;
const SERVICE_ID = 10_001;
const AGENT_ID = 10_101;
/** The gateway's, and of agents that read uploaded files. */
const FILES_UID = SERVICE_ID;

const edgeKeys = ["keys.json", "redis-url"] as const;

/** By kind of agent. */
const SECRETS = {
  agent: edgeKeys,
  "model-agent": [...edgeKeys, "model-key"],
  "reading-agent": [...edgeKeys, "reader-token"],
} as const;

/** Agents of the coder team that run the tests of a checkout. */
const CODE_RUNNERS = ["explorer", "verifier"];

/** The data folder of each container that keeps one. */
const VOLUMES: Readonly<Record<string, string>> = {
  gateway: "files",
  console: "console",
  sandbox: "sandbox",
};

/** Containers of services in the order that gives them their numbers. */
const CONTAINERS = ["gateway", "surgeon", "console", "sandbox"] as const;

export function redisContainer(): Container {
  return { name: "redis", ...REDIS_IDS, redisUser: null, secrets: ["users.acl"], volume: null };
}

/** Returns the containers of services. */
export function serviceContainers(): readonly Container[] {
  return CONTAINERS.map((name, index) => {
    const service = name === "sandbox" ? "rehearsal" : name;
    const { keys } = SERVICES[service];
    // The console asks no model; OPENAI_BASE_URL in the compose file shows it that there is one.
    const asksModels = needsSecret(service, "OPENAI_API_KEY") && service !== "console";
    return {
      name,
      uid: SERVICE_ID + index,
      gid: SERVICE_ID + index,
      redisUser: name === "sandbox" ? null : name,
      secrets: [
        ...(keys === null ? [] : (["keys.json"] as const)),
        ...(name === "sandbox" ? [] : (["redis-url"] as const)),
        ...(asksModels ? (["model-key"] as const) : []),
        ...(needsSecret(service, "SUTURE_API_KEYS") ? (["api-keys"] as const) : []),
      ],
      volume: VOLUMES[name] ?? null,
    };
  });
}

/** The container that opens files for the documents team's ingest, without Redis; none where there is no such team. */
export function readerContainers(agents: readonly AgentContainer[]): readonly Container[] {
  const ids = { uid: FILES_UID, gid: SERVICE_ID + CONTAINERS.length };
  return agents
    .filter(({ kind }) => kind === "reading-agent")
    .map(() => ({
      name: "reader",
      ...ids,
      redisUser: null,
      secrets: ["reader-token"],
      volume: "files",
      isolatesCode: true,
    }));
}

/** One container for each agent of the teams, in the order of their names. */
export function agentContainers(
  teams: readonly Team[],
  { fileTeams }: Pick<ComposeChoices, "fileTeams">,
): readonly AgentContainer[] {
  const agents = teams.flatMap(({ name: team, agents: all }) =>
    [...all.values()].map(({ name, options }) => ({ name, options, team })),
  );
  // An agent of two teams is one container, and reads files where one of them does.
  const readers = new Set(agents.flatMap(({ name, team }) => (fileTeams.includes(team) ? [name] : [])));
  return agents
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"))
    .map(({ name, options, team }, index): AgentContainer => {
      const asksModels = (options.answers ?? []).length > 0;
      const isIngest = team === "documents" && name === "ingest";
      const kind = isIngest ? "reading-agent" : asksModels ? "model-agent" : "agent";
      const readsFiles = readers.has(name) && !isIngest;
      return {
        name: `agent-${name}`,
        agent: name,
        team,
        uid: readsFiles ? FILES_UID : AGENT_ID + index,
        gid: AGENT_ID + index,
        redisUser: "agent",
        secrets: SECRETS[kind],
        volume: readsFiles ? "files" : null,
        isolatesCode: team === "coder" && CODE_RUNNERS.includes(name),
        kind,
        handlerTimeoutMs: options.handlerTimeoutMs ?? RUNTIME_LIMITS_DEFAULT.handlerTimeoutMs,
        concurrency: options.concurrency ?? null,
        stopsWhenIdle: options.stopsWhenIdle ?? false,
      };
    });
}
