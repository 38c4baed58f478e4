import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "#shared/config";
import type { ApiKey, ApiScope, Config } from "#shared/config";
import { CommandRefusedError, NothingRunsError } from "../errors.ts";
import { addressOf, findRunning } from "../launcher/run-file.ts";
import type { RunFile } from "../launcher/run-file.ts";
import { keyFile } from "../launcher/key-files.ts";
import type { Api } from "./call-api.ts";

const WIDEST_FIRST: readonly ApiScope[] = ["admin", "operator", "submit", "viewer"];

/** Addresses and key of the services that a command calls. */
export interface Connection {
  readonly gatewayUrl?: string;
  readonly consoleUrl?: string;
  readonly key?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/**
 * The service to talk to: as the flags say, else as the launcher here wrote down, else as configured.
 * @throws {CommandRefusedError} No key is known, or an address is none. {NothingRunsError} Nothing runs here.
 */
export function findApi(service: Api["service"], connection: Connection): Api {
  const config = loadConfig(undefined, { SUTURE_DATA_DIR: connection.dataDir });
  // A demo that keeps its console open is found too.
  const run = findRunning(config.dataDir) ?? findRunning(join(config.dataDir, "demo"));
  const named = connection[`${service}Url`];
  const running = run?.[`${service}_url`];
  if (named === undefined && running === null) throw new NothingRunsError(service, null);
  const own = running ?? addressOf(config[`${service}Host`], config[`${service}Port`]);
  const url = named === undefined ? own : checkUrl(named, service);
  return { service, url, key: connection.key ?? findKey(service, config, run) };
}

function checkUrl(text: string, service: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return text;
  throw new CommandRefusedError(
    `The address of the ${service} is no http or https URL.`,
    "Give one like http://127.0.0.1:8080.",
  );
}

function findKey(service: Api["service"], config: Config, run: RunFile | null): string {
  if (config.apiKeys !== null) return chooseKey(config.apiKeys).secret.reveal();
  const file = run?.api_keys_file ?? keyFile.apiKeys(config.dataDir);
  if (run === null && !existsSync(file)) throw new NothingRunsError(service, null);
  return chooseKey(loadConfig({}, { SUTURE_API_KEYS: `@${file}` }).apiKeys ?? []).secret.reveal();
}

/** The key with the widest scope. @throws {CommandRefusedError} There is none. */
export function chooseKey(keys: readonly ApiKey[]): ApiKey {
  const widest = WIDEST_FIRST.flatMap((scope) => keys.filter((key) => key.scope === scope))[0];
  if (widest !== undefined) return widest;
  throw new CommandRefusedError("There is no API key.", "Set SUTURE_API_KEYS, or name one with --key.");
}
