import type { Redis } from "ioredis";
import type { Envelope } from "#shared/envelope";
import type { Keyring } from "#shared/envelope/keys";
import type { Ended } from "../../infra/deploy/stack.ts";
import type { AttackedCluster } from "./open-cluster.ts";
import type { Victims } from "./victims.ts";

/** The agent that is compromised: it may hand to `reply`, and its own messages are leads. */
export const OWN = "sales";

export type Aim =
  | "forge"
  | "replay"
  | "read"
  | "delete"
  | "admit"
  | "decide"
  | "approve"
  | "teach"
  | "spend"
  | "flood"
  | "impersonate"
  | "escape";

/** Somebody who has all that the compromised agent has: its keys, its login, its address on the network, its user. */
export interface Attacker {
  readonly cluster: AttackedCluster;
  readonly victims: Victims;
  /** As the agent's user of Redis, past all of our code. */
  readonly raw: Redis;
  readonly ring: Keyring;
  /** Takes a message that waits for the agent, each time another. */
  readonly hold: () => Promise<Envelope>;
  /** Runs a line of a shell in the agent's container, as its user and with its environment. */
  readonly shell: (line: string, ...args: readonly string[]) => Promise<Ended>;
}

/**
 * Refusal of an act, and where it shows besides the state of its victims:
 * `redis`: an error, and a line in its ACL LOG. `door`: these answers of gateway or console, and where a credential was
 * tried, the list of refused attempts. `kernel`: the line of a shell writes nothing to its output. `keys`: no key, an
 * error before anything is sent. `nobody`: Redis lets it, as docs/operating/trust.md says; not carried out.
 */
export type Refusal =
  | { readonly by: "redis" }
  | { readonly by: "door"; readonly statuses: readonly number[]; readonly isListed: boolean }
  | { readonly by: "kernel" }
  | { readonly by: "keys" }
  | { readonly by: "nobody"; readonly command: (attacker: Attacker) => readonly string[] };

/** One thing that a compromised agent tries. */
export interface Act {
  readonly aim: Aim;
  readonly name: string;
  readonly refused: Refusal;
  readonly attempt: (attacker: Attacker) => Promise<unknown>;
}
