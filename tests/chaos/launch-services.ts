import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMaster, issueKeyring, issueVerifyingKeyring, Keyring } from "#shared/envelope/keys";
import { edgesOf } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import type { Links } from "./links.ts";
import { BLOCK_MS } from "./plan/chapters.ts";
import type { Chapter } from "./plan/chapters.ts";
import type { ServiceName } from "./plan/faults.ts";
import { ServiceProcess } from "./service-process.ts";
import type { Launch } from "./service-process.ts";

/** A lock's life and the stall check of the processes under test, in ms: what recovery from a death takes. */
export const LOCK_MS = 1500;
export const STALLED_INTERVAL_MS = 500;

const MODEL_TIMEOUT_MS = 2000;
const PROJECT_DIR = fileURLToPath(new URL("../../", import.meta.url));
export const TEAMS_DIR = fileURLToPath(new URL("teams", import.meta.url));
const NEWER_TEAMS_DIR = fileURLToPath(new URL("teams-newer", import.meta.url));

const MAIN: Readonly<Record<ServiceName, string>> = {
  "agents-1": "services/agents/main.ts",
  "agents-2": "services/agents/main.ts",
  gateway: "services/gateway/main.ts",
  surgeon: "services/surgeon/main.ts",
};

/** Settings that the processes of one run share. */
interface Surroundings {
  readonly folder: string;
  readonly chapter: Chapter;
  readonly links: Links;
  readonly keys: Keys;
  readonly gatewayPort: number;
  /** Of the submitter's API key. */
  readonly secret: string;
}

/** A script of this project, by its path from the root. */
export function scriptAt(path: string): string {
  return join(PROJECT_DIR, path);
}

/** The processes under test, not started yet. */
export function createServices(own: Surroundings): Record<ServiceName, ServiceProcess> {
  const create = (name: ServiceName): ServiceProcess =>
    new ServiceProcess({ ...launchOf(own, name), logFile: join(own.folder, "logs", `${name}.log`) });
  return {
    "agents-1": create("agents-1"),
    "agents-2": create("agents-2"),
    gateway: create("gateway"),
    surgeon: create("surgeon"),
  };
}

/** The same process as the next release: an envelope and contracts that the one at work does not know. */
export function asNextRelease({ args, env }: Launch): Launch {
  return {
    args: ["--import", scriptAt("tests/chaos/processes/next-release.ts"), ...args],
    env: { ...env, SUTURE_TEAMS: NEWER_TEAMS_DIR },
  };
}

/** The same process from the tree of another release: its services and its teams. */
export function fromTree({ args, env }: Launch, tree: string): Launch {
  const move = (path: string): string => path.replace(PROJECT_DIR, `${tree}/`);
  return { args: args.map(move), env: { ...env, SUTURE_TEAMS: move(TEAMS_DIR) } };
}

function launchOf(own: Surroundings, name: ServiceName): Launch {
  return {
    args: ["--import", scriptAt("tests/chaos/processes/obey-signals.ts"), scriptAt(MAIN[name])],
    env: environmentOf(own, name),
  };
}

function environmentOf(own: Surroundings, name: ServiceName): Record<string, string> {
  const { folder, chapter, links, keys } = own;
  const outside = `http://127.0.0.1:${links.get("agents-outside").port}`;
  return {
    PATH: process.env["PATH"] ?? "",
    ...redisOf(links.redisUrlsOf(name, chapter.topology), chapter),
    SUTURE_TEAMS: TEAMS_DIR,
    SUTURE_PREFIX: "chaos",
    SUTURE_DATA_DIR: join(folder, name),
    SUTURE_KEYS: `@${keys.files[name]}`,
    SUTURE_GATEWAY_PORT: String(own.gatewayPort),
    ...(name === "gateway" ? { SUTURE_API_KEYS: `chaos:admin:${own.secret}` } : {}),
    SUTURE_SANDBOX_URL: outside,
    OPENAI_BASE_URL: `${outside}/v1`,
    OPENAI_API_KEY: "sk-chaos-0123456789abcdef",
    SUTURE_MODEL_TIMEOUT_MS: String(MODEL_TIMEOUT_MS),
    ...durabilityOf(chapter),
    SUTURE_LOCK_MS: String(LOCK_MS),
    SUTURE_STALLED_INTERVAL_MS: String(STALLED_INTERVAL_MS),
    SUTURE_RETRY_DELAY_MS: "100",
    SUTURE_RETRY_DELAY_MS_MAX: "1000",
    SUTURE_MODEL_PROBE_MS: "200",
    SUTURE_MODEL_PROBE_MS_MAX: "1000",
    SUTURE_MODEL_DRAIN_PER_SECOND: "100",
    SUTURE_CRASHES_MAX: String(chapter.crashesMax),
    SUTURE_STOP_GRACE_MS: "500",
    CHAOS_BLOCK_MS: String(BLOCK_MS),
    LOG_LEVEL: "warn",
  };
}

function redisOf(urls: readonly string[], { topology }: Chapter): Record<string, string> {
  if (topology === "shards") return { SUTURE_REDIS_URLS: urls.join(" ") };
  return { REDIS_URL: urls[0] ?? "", SUTURE_SHARDS: String(urls.length) };
}

function durabilityOf({ durability }: Chapter): Record<string, string> {
  if (durability === "fast") return {};
  if (durability === "durable") return { SUTURE_REDIS_DURABILITY: "durable" };
  return {
    SUTURE_REDIS_DURABILITY: "replicated",
    SUTURE_REDIS_REPLICAS_MIN: "1",
    SUTURE_REDIS_WAIT_MS: "500",
  };
}

interface Keys {
  /** File with the keys of each process. */
  readonly files: Readonly<Record<ServiceName, string>>;
  /** All keys of the run, for forging with a true key in a wrong place. */
  readonly keyring: Keyring;
}

/** Each process gets the keys of its own edges and no others, as `suture keys` issues them. */
export async function writeKeys(folder: string, teamsDir: string): Promise<Keys> {
  const teams = await loadTeams(teamsDir);
  const master = createMaster();
  const edges = edgesOf(teams);
  const merge = (agents: readonly string[]): Keyring =>
    Keyring.merge(agents.map((agent) => issueKeyring({ master, agent, edges })));
  const write = (name: string, keyring: Keyring): string => {
    const file = join(folder, `${name}.keys.json`);
    writeFileSync(file, keyring.exportJson(), { mode: 0o600 });
    return file;
  };
  const names = teams.flatMap((team) => [...team.agents.keys()]);
  const agents = write("agents", merge(names));
  return {
    keyring: merge([...names, "gateway"]),
    files: {
      "agents-1": agents,
      "agents-2": agents,
      gateway: write("gateway", merge(["gateway"])),
      surgeon: write(
        "surgeon",
        Keyring.merge([merge(["surgeon"]), issueVerifyingKeyring({ master, edges })]),
      ),
    },
  };
}
