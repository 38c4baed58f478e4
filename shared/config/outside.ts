import type { Secret } from "./secret.ts";
import type { Config } from "./load-config.ts";

/** Address of one outside system, and the token that it knows us by. */
export interface OutsideAddress {
  /** Base URL without a slash at its end. */
  readonly url: string;
  /** Sent as a bearer token. Null: none is. */
  readonly token: Secret | null;
  /** True for the sandbox, which no person reads and which moves no money. */
  readonly isSandbox: boolean;
}

export type OutsideSystem = "shop" | "desk" | "crm";

/** Returns a system's configured address, else the sandbox; a rehearsal acts in the sandbox alone. */
export function outsideAddress(
  config: Pick<Config, `${OutsideSystem}${"Url" | "Token"}` | "isRehearsal" | "sandboxUrl">,
  system: OutsideSystem,
): OutsideAddress {
  const url = config[`${system}Url`];
  if (url === null || config.isRehearsal) return sandboxAddress(config.sandboxUrl);
  return { url: withoutSlash(url), token: config[`${system}Token`], isSandbox: false };
}

/** @param baseUrl - Of the server that the sandbox is a part of. It asks for no token. */
export function sandboxAddress(baseUrl: string): OutsideAddress {
  return { url: `${withoutSlash(baseUrl)}/sandbox`, token: null, isSandbox: true };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
