import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Cluster, Redis, RedisValue } from "ioredis";
import { StoreUnfitError } from "./errors.ts";
import { mastersOf } from "./masters.ts";
import { encoderOf, encodeSimple, prologueOf } from "./script-arguments.ts";
import type { ArgumentKinds, Values, ValuesOf } from "./script-arguments.ts";
import type { ReadBy, ReplyReader, ScriptReply } from "./script-reply.ts";

export type RedisClient = Redis | Cluster;

/** Splits the text that `joinArguments` makes of many arguments. */
export const ARGUMENTS_JOINED = "split-arguments.lua";

/** Runs each call of a group. */
export const CALLS_GROUPED = "run-calls.lua";

/** Keys, arguments and reply of a Lua script, from which its caller's types and its body's locals are derived. */
export interface Declaration {
  /** Files with shared functions, put before the script, each once. They see the same locals. */
  readonly parts?: readonly string[];
  /** Keys of the script. All are in one slot, unless one Redis holds every slot. */
  readonly keys?: readonly string[];
  /** The caller passes further keys in `touches`, which the script derives itself: Redis must know them. */
  readonly touches?: true;
  readonly args?: ArgumentKinds;
  /** Constants shared by TypeScript and Lua. */
  readonly constants?: Readonly<Record<string, string | number>>;
  /** Sends the arguments as lines of one text, which is cheaper if there are many. */
  readonly joined?: true;
  /** Several calls may run as one script, by a `ScriptGroup`. */
  readonly grouped?: true;
  readonly reply: ReplyReader<unknown>;
}

type KeysOf<D> = D extends { readonly keys: readonly (infer Name extends string)[] } ? Name : never;

type ArgumentsOf<D> = D extends { readonly args: infer Kinds } ? ValuesOf<Kinds> : unknown;

/** Keys and arguments of one call, by name. */
export type CallOf<D> = { readonly [Name in KeysOf<D>]: string } & ArgumentsOf<D> &
  (D extends { readonly touches: true } ? { readonly touches: readonly string[] } : unknown);

/** A script as Redis knows it. */
export interface Source {
  readonly sha: string;
  readonly source: string;
}

/** Keys and arguments of one call, in the order of the script. */
export interface Sent {
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
}

/** One atomic transition: a Lua script and its declaration. Run by EVALSHA, with the source where it is missing. */
export class Script<const D extends Declaration> {
  readonly fileName: string;
  readonly declared: D;
  /** The generated prologue, parts and body; and, if calls may be grouped, one that runs several of them. */
  readonly sources: { readonly single: Source; readonly group: Source | null };
  private readonly encode: ReturnType<typeof encoderOf>;

  constructor(fileName: string, declared: D) {
    const { keys = [], args = {}, constants = {}, parts = [], joined } = declared;
    this.fileName = fileName;
    this.declared = declared;
    this.encode = encoderOf(args);
    const source = [
      ...(joined === true ? [readLua(ARGUMENTS_JOINED)] : []),
      prologueOf({ keys, args, constants }),
      ...[...new Set(parts), fileName].map(readLua),
    ].join("\n");
    const grouped = `local KEYS_NAMED = ${keys.length}\nlocal function call(KEYS, ARGV)\n${source}\nend\n`;
    this.sources = {
      single: toSource(source),
      group: declared.grouped === true ? toSource(grouped + readLua(CALLS_GROUPED)) : null,
    };
  }

  /** Runs the script. @throws {StoreUnfitError} The reply does not match the declaration. */
  async run(redis: RedisClient, call: CallOf<D>): Promise<ReadBy<D["reply"]>> {
    const { keys, args } = this.toSent(call);
    return this.read(await runByDigest(redis, this.sources.single, [keys.length, ...keys, ...args]));
  }

  /** Encodes a call. */
  toSent(call: CallOf<D>): Sent {
    // Each declared key is a text, each declared argument of its kind.
    const values = call as Values & { readonly touches?: readonly string[] };
    const { keys = [], joined } = this.declared;
    const named = keys.map((name) => String(encodeSimple(values[name])));
    named.push(...(values.touches ?? []));
    const args: (string | number)[] = [];
    this.encode(values, args);
    return { keys: named, args: joined === true ? joinArguments(args) : args };
  }

  /** Parses a reply. @throws {StoreUnfitError} It does not match the declaration. */
  read(reply: unknown): ReadBy<D["reply"]> {
    // ioredis types replies as unknown; a script can only return a ScriptReply.
    const read = this.declared.reply(reply as ScriptReply);
    if (read === undefined) {
      throw new StoreUnfitError(
        `the script ${this.fileName} answers in a form that this release does not know`,
        "Find out what stands between this process and Redis; a proxy must pass replies on as they are.",
      );
    }
    // Parsed by the reader of the declaration.
    return read as ReadBy<D["reply"]>;
  }
}

/**
 * Runs a script by EVALSHA, and loads it where it is missing; never EVAL, so that users run the platform's scripts
 * alone. On a cluster each names one more key, which is nowhere: where a slot is half on one master and half on
 * another, Redis refuses a script of which a key is missing, so that none acts on the half that is there.
 * @param sent - The number of keys, the keys and the arguments.
 */
export async function runByDigest(
  redis: RedisClient,
  { sha, source }: Source,
  sent: readonly [number, ...RedisValue[]],
): Promise<unknown> {
  const [count] = sent;
  const isSpread = redis.isCluster && count > 0;
  const call = isSpread
    ? ([
        count + 1,
        ...sent.slice(1, count + 1),
        `${String(sent[1])}:nowhere`,
        ...sent.slice(count + 1),
      ] as const)
    : sent;
  try {
    return await redis.evalsha(sha, ...call);
  } catch (error) {
    if (!isMissingScript(error)) throw error;
    await Promise.all(mastersOf(redis).map((node) => node.script("LOAD", source)));
    return redis.evalsha(sha, ...call);
  }
}

/** Makes BullMQ's scripts on this connection run by digest, where ioredis would send EVAL at first use. */
export function definedByDigest(redis: RedisClient): RedisClient {
  const define = redis.defineCommand.bind(redis);
  redis.defineCommand = (name, definition) => {
    // For transactions and pipelines, which the platform fills with no script.
    define(name, definition);
    const { lua, numberOfKeys = 0 } = definition;
    const source = toSource(lua);
    const run = (args: readonly RedisValue[]): Promise<unknown> =>
      runByDigest(redis, source, [numberOfKeys, ...args]);
    Object.assign(redis, { [name]: run });
  };
  return redis;
}

function toSource(source: string): Source {
  return { source, sha: createHash("sha1").update(source).digest("hex") };
}

function readLua(fileName: string): string {
  return readFileSync(new URL(`./scripts/${fileName}`, import.meta.url), "utf8");
}

/** Joins arguments to one text for `split-arguments.lua`; arguments with a line break are sent separately. */
export function joinArguments(args: readonly (string | number)[]): readonly (string | number)[] {
  const text = args.join("\n");
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return text !== "" && lines === args.length ? [text] : ["", ...args];
}

/** Returns true if Redis refused a command, and false for connection errors. */
export function isRedisReply(error: unknown): boolean {
  return error instanceof Error && error.name === "ReplyError";
}

/** The first word of a Redis error reply is a code, not free text. */
function isMissingScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT");
}
