import { z } from "zod";
import { parseJson } from "#shared/envelope/json";
import type { MessageState, RunChange, RunEvent, RunEnd } from "../runs/run-event.ts";
import { ReturnMalformedError } from "../errors.ts";

const STATES = [
  "open",
  "in_ward",
  "quarantined",
  "closed",
  "away",
] as const satisfies readonly MessageState[];
const ENDS = ["failed", "expired", "cancelled", "undo_failed"] as const satisfies readonly RunEnd[];
const RANK_MAX = 1_000_000_000;
const MICRO = 1_000_000;
/** Number of fields before and after the messages that a change opens. */
const HEAD = 7;
const TAIL = 6;

const name = z.string().max(200);
const digits = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const uuid = z.string().regex(/^[0-9a-f-]{36}$/);

const eventSchema = z.object({
  id: name.min(1),
  run_id: uuid,
  type: z.string().regex(/^[a-z_]{1,40}$/),
  at: name,
  message_id: uuid.nullable(),
  agent: name.nullable(),
  detail: z.record(z.string(), z.unknown()),
});

const headSchema = z.tuple([
  name.min(1),
  z.string(),
  z.union([z.literal(""), uuid]),
  digits.refine((rank) => rank <= RANK_MAX),
  z.enum(["", ...STATES]),
  name,
  digits,
]);

const tailSchema = z.tuple([
  z.enum(["", ...ENDS]),
  z.string(),
  z.string(),
  digits,
  digits,
  z.enum(["0", "1"]),
]);

/**
 * Parses a run change from another cluster: the arguments of the script that recorded it there. Untrusted input:
 * checks the form of every part; whether the sender may report it is for the caller to check.
 *
 * @throws {ReturnMalformedError}
 */
export function readChange(told: { readonly run_id: string; readonly change: readonly string[] }): RunChange {
  const head = take(headSchema, told.change.slice(0, HEAD));
  const [id, eventText, messageId, rank, state, place, opened] = head;
  if (told.change.length !== HEAD + 2 * opened + TAIL) throw new ReturnMalformedError();
  const [end, result, error, cost, tokens, starts] = take(tailSchema, told.change.slice(-TAIL));
  const event = take(eventSchema, parse(eventText));
  const isOfOne = event.id === id && event.run_id === told.run_id && (event.message_id ?? "") === messageId;
  const { agent, branch } = placeOf(place);
  if (!isOfOne || agent !== (event.agent ?? "")) throw new ReturnMalformedError();
  return {
    // A type that only a newer release knows is kept as it is.
    event: event as RunEvent,
    ...(state === "" ? {} : { moves: { state, rank } }),
    ...(branch === undefined ? {} : { branch }),
    opens: openedIn(told.change.slice(HEAD, HEAD + 2 * opened)),
    ...(end === "" ? {} : { end }),
    ...(result === "" ? {} : { result: parse(result) }),
    ...(error === "" ? {} : { error: parse(error) }),
    cost: cost / MICRO,
    tokens,
    starts: starts === "1",
  };
}

function openedIn(flat: readonly string[]): NonNullable<RunChange["opens"]> {
  return Array.from({ length: flat.length / 2 }, (_, at) => {
    const { agent, branch } = placeOf(take(name, flat[2 * at + 1]));
    return {
      message_id: take(uuid, flat[2 * at]),
      agent,
      ...(branch === undefined ? {} : { branch }),
    };
  });
}

function placeOf(place: string): { readonly agent: string; readonly branch: string | undefined } {
  const [agent = "", branch, ...rest] = place.split("|");
  if (rest.length > 0) throw new ReturnMalformedError();
  return { agent, branch };
}

function take<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const read = schema.safeParse(value);
  if (!read.success) throw new ReturnMalformedError();
  return read.data;
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new ReturnMalformedError();
  }
}
