import { chmodSync, chownSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "#shared/config";
import type { Config } from "#shared/config";
import { edgesOf } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { CommandRefusedError } from "../errors.ts";
import { randomHex } from "#shared/clock";
import { urlWithLogin, writeRedisAcl } from "../keys/redis-users.ts";
import type { RedisPasswords } from "../keys/redis-users.ts";
import { issueKeys, keepSecret, openApiKeys, writeSecret } from "../launcher/key-files.ts";
import { write } from "../print/print-answer.ts";
import { agentContainers, readerContainers, redisContainer, serviceContainers } from "./containers.ts";
import type { AgentContainer, ComposeChoices, Container, SecretFile } from "./containers.ts";

export interface SecretsOptions extends Pick<ComposeChoices, "fileTeams"> {
  /** Folder that holds one folder for each container, as its volume of secrets is mounted. */
  readonly out: string;
  /** Folder that holds the data folders of containers. */
  readonly volumes: string;
  /** Address of Redis without a user. With one, all services are that user. */
  readonly redis: string;
}

/** Readable by the group, writable by nobody. */
const SECRET_MODE = 0o440;
const VOLUME_MODE = 0o700;
const TOKEN_BYTES = 24;

/** A user who may ask whether Redis answers, for the health check of its container: no password guards it. */
const HEALTH_USER = "user health on nopass resetkeys resetchannels -@all +ping";

/**
 * Writes each container's secrets into its folder, readable by its group where this process is root. Repeatable.
 * @throws {CommandRefusedError} There is no folder for a container, as when the compose file is of other teams.
 */
export async function writeSecrets(options: SecretsOptions): Promise<void> {
  const config = loadConfig();
  const teams = await loadTeams(config.teamsDir);
  const agents = agentContainers(teams, options);
  const containers = [redisContainer(), ...serviceContainers(), ...readerContainers(agents), ...agents];
  const missing = containers.filter(
    ({ name, secrets }) => secrets.length > 0 && !existsSync(join(options.out, name)),
  );
  if (missing.length > 0)
    throw new CommandRefusedError(
      `There is no folder for the secrets of ${missing.map(({ name }) => name).join(", ")}.`,
      'Write the compose file anew with "suture compose write": it is of other teams.',
    );
  const redisDir = join(config.dataDir, "redis-users");
  const passwords = writeRedisAcl({ out: redisDir });
  const makers = { config, teams, redisDir, passwords, redis: options.redis };
  for (const container of containers) {
    for (const file of container.secrets)
      handOut(join(options.out, container.name, file), secretText(file, container, makers), container);
    if (container.volume !== null) giveVolume(join(options.volumes, container.volume), container);
  }
  write(`Secrets of ${containers.length} containers are below ${options.out}.`);
}

/** All that secrets are made from. */
export interface Makers {
  readonly config: Config;
  readonly teams: readonly Team[];
  readonly redisDir: string;
  readonly passwords: RedisPasswords;
  readonly redis: string;
}

/** Returns the text of one file of a container's secrets. The same again at each call. */
export function secretText(file: SecretFile, container: Container | AgentContainer, makers: Makers): string {
  const { config, teams, redisDir, redis, passwords } = makers;
  const { dataDir, apiKeys } = config;
  const agents = ["agent" in container ? container.agent : container.name];
  switch (file) {
    case "keys.json":
      return issueKeys({ dataDir, edges: edgesOf(teams), agents }).exportJson();
    case "redis-url":
      return redis.includes("@") || container.redisUser === null
        ? redis
        : urlWithLogin(redis, container.redisUser, passwords);
    case "model-key":
      return config.openaiApiKey?.reveal() ?? "";
    case "api-keys":
      return apiKeys !== null && apiKeys.length > 0
        ? apiKeys.map(({ name, scope, secret }) => `${name}:${scope}:${secret.reveal()}`).join("\n")
        : readFileSync(openApiKeys(dataDir), "utf8");
    case "reader-token":
      return keepSecret(join(dataDir, "keys", "reader-token"), () => randomHex(TOKEN_BYTES));
    case "users.acl":
      return `${readFileSync(join(redisDir, "users.acl"), "utf8")}${HEALTH_USER}`;
  }
}

function handOut(file: string, text: string, { gid }: Container): void {
  writeSecret(file, `${text.trim()}\n`);
  chmodSync(file, SECRET_MODE);
  if (isRoot()) chownSync(file, 0, gid);
}

function giveVolume(folder: string, { uid, gid }: Container): void {
  // Any group will do: only the user may enter.
  if (!isRoot() || statSync(folder).uid === uid) return;
  chmodSync(folder, VOLUME_MODE);
  chownSync(folder, uid, gid);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
