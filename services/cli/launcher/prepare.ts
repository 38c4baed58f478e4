import { loadConfig } from "#shared/config";
import type { Config, ConfigOverrides } from "#shared/config";
import { loadTeams } from "#shared/runtime/process";
import { findMissingIsolation } from "#shared/sandbox";
import type { RedisUser } from "#shared/store";
import { openPrivateFolder } from "../../../infra/redis/private-redis-state.ts";
import { startPrivateRedis } from "../../../infra/redis/private-redis.ts";
import type { PrivateRedis, PrivateRedisOptions } from "../../../infra/redis/private-redis.ts";
import { definedOf } from "../http/call-api.ts";
import { keepRedisPasswords, readRedisPasswords, redisUserLines, urlWithLogin } from "../keys/redis-users.ts";
import { keyFile, openApiKeys, openMaster } from "./key-files.ts";
import type { Deployment } from "./process-table.ts";

/** Needs of all services before they start: Redis, keys, teams. */
export interface Prepared {
  readonly deployment: Deployment;
  /** Address of Redis with the login of one role, where there are users. */
  readonly redisUrlOf: (user: RedisUser) => string;
  /** Null where a Redis is configured. */
  readonly privateRedis: PrivateRedis | null;
}

export interface PrepareOptions {
  /** Values of the command's flags, laid over the environment. */
  readonly overrides: ConfigOverrides;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** Opens a Redis, the teams, the machine's API keys. @throws {ConfigError | TeamDefinitionError} And Redis' own. */
export async function prepare({ overrides, say, signal }: PrepareOptions): Promise<Prepared> {
  const config = loadConfig(undefined, overrides);
  if (config.unknownVariables.length > 0)
    say(`Set, but meaning nothing here (misspelt?): ${config.unknownVariables.join(", ")}.`);
  if (openPrivateFolder(config.dataDir))
    say(`${config.dataDir} was open to other users of this machine; from now on it is yours alone.`);
  const isPrivate = config.redisUrl === null;
  const redisUsersFile = isPrivate ? keyFile.redisUsers(config.dataDir) : config.redisUsersFile;
  // The private Redis has the users that this machine makes.
  const readPasswords = isPrivate ? keepRedisPasswords : readRedisPasswords;
  const redisPasswords = redisUsersFile === null ? null : readPasswords(redisUsersFile);
  if (config.edgeKeysFile === null) openMaster(config.dataDir);
  const teams = await loadTeams(config.teamsDir);
  const names = teams.map((team) => `${team.name} (${team.agents.size} agents)`);
  say(names.length === 0 ? `No teams in ${config.teamsDir}.` : `Teams: ${names.join(", ")}.`);
  await reportIsolation(config, say);
  const users = redisPasswords === null ? [] : redisUserLines(config.prefix, redisPasswords);
  const privateRedis = isPrivate ? await openPrivateRedis(config, { users, say, signal }) : null;
  const redisUrl = privateRedis?.url ?? config.redisUrl?.reveal() ?? "";
  if (privateRedis === null) say("Using the Redis that REDIS_URL names.");
  const apiKeys = config.apiKeys === null ? openApiKeys(config.dataDir) : null;
  const shared = { ...definedOf(overrides), SUTURE_DATA_DIR: config.dataDir, REDIS_URL: redisUrl };
  const redisUrlOf = (user: RedisUser): string =>
    redisPasswords === null ? redisUrl : urlWithLogin(redisUrl, user, redisPasswords);
  const deployment = { config, teams, shared, redisPasswords, redisUsersFile };
  return {
    deployment: { ...deployment, apiKeys: apiKeys === null ? null : `@${apiKeys}` },
    redisUrlOf,
    privateRedis,
  };
}

async function openPrivateRedis(
  config: Config,
  options: Pick<PrivateRedisOptions, "users" | "say" | "signal">,
): Promise<PrivateRedis> {
  const redis = await startPrivateRedis({
    dataDir: config.dataDir,
    // With no Redis named, `replicated` was refused: a private child has no replicas.
    durability: config.redisDurability === "durable" ? "durable" : "fast",
    ...options,
  });
  const whose = redis.isOwned ? "Private Redis" : "Sharing the private Redis of another command,";
  options.say(`${whose} at ${redis.address}, process ${redis.pid}; its data is in ${config.dataDir}/redis.`);
  return redis;
}

/** Reports teams that cannot run, or run without isolation. Prints nothing where isolation works. */
async function reportIsolation({ codeIsolation }: Config, say: (line: string) => void): Promise<void> {
  if (codeIsolation === "off") {
    say("WARNING: SUTURE_CODE_ISOLATION=off. Tests of checkouts and readers of documents run unprotected:");
    say("  they can read this user's files and keys, and reach the network.");
    return;
  }
  const missing = await findMissingIsolation();
  if (missing === null) return;
  say(`No isolation for untrusted code: ${missing}`);
  say("  Teams that run such code (coder, documents) refuse to; see docs/operating/isolation.md.");
}
