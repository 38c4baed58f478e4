import type { Config } from "#shared/config";
import type { Team } from "#shared/runtime";
import type { ServiceProcess } from "./service-processes.ts";

/**
 * `ok`: it holds. `open`: nothing protects it, and nothing promises that. `failed`: what is
 * promised does not hold.
 */
export type FindingState = "ok" | "open" | "failed";

/** The result of one check. */
export interface Finding {
  readonly check: string;
  /** What was seen, in words that hold no secret. */
  readonly seen: string;
  readonly state: FindingState;
  /** What to do; empty where nothing is. */
  readonly todo: string;
}

export function ok(check: string, seen: string): Finding {
  return { check, seen, state: "ok", todo: "" };
}

export function open(check: string, seen: string, todo: string): Finding {
  return { check, seen, state: "open", todo };
}

export function failed(check: string, seen: string, todo: string): Finding {
  return { check, seen, state: "failed", todo };
}

/** Returns `ok` where nothing was found, else a finding that names each thing once. */
export function unlessFound(
  check: string,
  found: readonly string[],
  words: {
    /** Said where nothing was found. */
    readonly none: string;
    /** Said before what was found. Default: nothing. */
    readonly some?: string;
    readonly todo: string;
    /** Default `failed`. */
    readonly state?: FindingState;
  },
): Finding {
  const { none, some = "", todo, state = "failed" } = words;
  if (found.length === 0) return ok(check, none);
  return { check, seen: `${some}${[...new Set(found)].join(", ")}`, state, todo };
}

/** What is examined. */
export interface Subject {
  /** As configured, Redis and keys completed by what a running service was given. */
  readonly config: Config;
  readonly teams: readonly Team[];
  /** Null where the system does not show processes. */
  readonly processes: readonly ServiceProcess[] | null;
}
