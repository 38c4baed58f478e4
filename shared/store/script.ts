import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Cluster, Redis } from "ioredis";
import { StoreUnfitError } from "./errors.ts";
import { encoderOf, encodeSimple, prologueOf } from "./script-arguments.ts";
import type { ArgumentKinds, Values, ValuesOf } from "./script-arguments.ts";
import type { ReadBy, ReplyReader, ScriptReply } from "./script-reply.ts";

export type RedisClient = Redis | Cluster;

/** Reads the lines that `joinArguments` makes of many arguments. */
export const ARGUMENTS_JOINED = "split-arguments.lua";

/** What a Lua file is given and answers. From it come the types of its caller and the locals of its body. */
export interface Declaration {
  /** Files whose functions the script uses, put before it. They see the same locals. */
  readonly parts?: readonly string[];
  /** Keys that the script names. All lie in one slot, unless one Redis holds every slot. */
  readonly keys?: readonly string[];
  /** The caller names more keys, in `touches`: Redis has to know them, the script derives them. */
  readonly touches?: true;
  readonly args?: ArgumentKinds;
  /** Numbers and words that TypeScript and Lua have to agree on. */
  readonly constants?: Readonly<Record<string, string | number>>;
  /** Sends the arguments as lines of one text, which is cheaper where there are many. */
  readonly joined?: true;
  readonly reply: ReplyReader<unknown>;
}

type KeysOf<D> = D extends { readonly keys: readonly (infer Name extends string)[] } ? Name : never;

type ArgumentsOf<D> = D extends { readonly args: infer Kinds } ? ValuesOf<Kinds> : unknown;

/** Keys and arguments of one call, by their names. */
export type CallOf<D> = { readonly [Name in KeysOf<D>]: string } & ArgumentsOf<D> &
  (D extends { readonly touches: true } ? { readonly touches: readonly string[] } : unknown);

/**
 * One atomic transition: a Lua file and its declaration. Sent by hash, and once in full to a server that does not know
 * it yet.
 */
export class Script<const D extends Declaration> {
  readonly fileName: string;
  readonly declared: D;
  /** The generated prologue, parts and body. */
  readonly source: string;
  private readonly sha: string;
  private readonly encode: ReturnType<typeof encoderOf>;

  constructor(fileName: string, declared: D) {
    const { keys = [], args = {}, constants = {}, parts = [], joined } = declared;
    this.fileName = fileName;
    this.declared = declared;
    this.encode = encoderOf(args);
    this.source = [
      ...(joined === true ? [readLua(ARGUMENTS_JOINED)] : []),
      prologueOf({ keys, args, constants }),
      ...[...parts, fileName].map(readLua),
    ].join("\n");
    this.sha = createHash("sha1").update(this.source).digest("hex");
  }

  /** @throws {StoreUnfitError} The reply is not of the declared form. */
  async run(redis: RedisClient, call: CallOf<D>): Promise<ReadBy<D["reply"]>> {
    // By construction: each declared key is a text, each declared argument of its kind.
    const values = call as Values & { readonly touches?: readonly string[] };
    const { keys = [], joined } = this.declared;
    const named: (string | number)[] = keys.map((name) => encodeSimple(values[name]));
    named.push(...(values.touches ?? []));
    const args: (string | number)[] = [];
    this.encode(values, args);
    const reply = await this.send(redis, named.length, [
      ...named,
      ...(joined === true ? joinArguments(args) : args),
    ]);
    const read = this.declared.reply(reply);
    if (read === undefined) {
      throw new StoreUnfitError(
        `the script ${this.fileName} answers in a form that this release does not know`,
        "Find out what stands between this process and Redis; a proxy must pass replies on as they are.",
      );
    }
    // What the declaration's own reader gave.
    return read as ReadBy<D["reply"]>;
  }

  private async send(redis: RedisClient, keys: number, rest: (string | number)[]): Promise<ScriptReply> {
    try {
      // ioredis types replies as unknown; a script's reply has no other forms than ScriptReply.
      return (await redis.evalsha(this.sha, keys, ...rest)) as ScriptReply;
    } catch (error) {
      if (!isMissingScript(error)) throw error;
      // The same reply, from the same source.
      return (await redis.eval(this.source, keys, ...rest)) as ScriptReply;
    }
  }
}

function readLua(fileName: string): string {
  return readFileSync(new URL(`./scripts/${fileName}`, import.meta.url), "utf8");
}

/** Lines of one text, as `split-arguments.lua` takes them; what has a line break itself is sent as it is. */
export function joinArguments(args: readonly (string | number)[]): readonly (string | number)[] {
  const text = args.join("\n");
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return text !== "" && lines === args.length ? [text] : ["", ...args];
}

/** Whether Redis itself refused a command, in contrast to a connection that failed. */
export function isRedisReply(error: unknown): boolean {
  return error instanceof Error && error.name === "ReplyError";
}

/** Redis itself names this reply by its first word; it is a protocol code, not free text. */
function isMissingScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT");
}
