import { AbsentError, ForbiddenError } from "#shared/http";
import { rolesFrom } from "../api/guards/caller.ts";
import type { Caller, Role } from "../api/guards/caller.ts";
import { requireAllTeams } from "../api/guards/confine-to-teams.ts";
import type { AttachedQueueParts, AttachedQueues } from "./attached-queues.ts";

interface Asking {
  readonly params: unknown;
  readonly query: unknown;
}

/** The subject of a request by its parts; null if it is the ward's own. */
export function findAttached(call: Asking): { readonly queue: string; readonly id: string } | null {
  // Checked: an object of texts and numbers where it is declared.
  const { source, fingerprint } = (call.query ?? {}) as Readonly<Record<string, string | undefined>>;
  if (source !== undefined) return { queue: source, id: "" };
  // As above: parts of the address are texts.
  const params = (call.params ?? {}) as Readonly<Record<string, string>>;
  const [named = fingerprint ?? ""] = Object.values(params);
  const [, queue, id] = /^bullmq:([^:]+):(.*)$/su.exec(named) ?? [];
  return queue === undefined || id === undefined ? null : { queue, id };
}

/** Returns a request's queue. @throws {AbsentError} No such queue. {ForbiddenError} It is not for this caller. */
export function openAttached(
  call: Asking & { readonly console: { readonly attached: AttachedQueues }; readonly caller: Caller },
  least: Role = "operator",
): { readonly queue: AttachedQueueParts; readonly id: string } {
  const { caller } = call;
  requireAllTeams(caller);
  if (!rolesFrom(least).includes(caller.role)) throw new ForbiddenError(caller.role, [least], caller.name);
  const named = findAttached(call);
  const queue = call.console.attached.list.find(({ name }) => name === named?.queue);
  if (queue === undefined) throw new AbsentError("attached queue");
  return { queue, id: named?.id ?? "" };
}
