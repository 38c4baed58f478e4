import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Cluster, Redis } from "ioredis";

export type RedisClient = Redis | Cluster;

/** What a script may answer: Redis turns Lua numbers to integers, tables to arrays, false to null. */
export type ScriptReply = string | number | null | ScriptReply[];

/** First among the parts of a script with many arguments: they are sent as one. */
export const ARGUMENTS_JOINED = "split-arguments.lua";

/** Lines of one text, as `split-arguments.lua` takes them; what has a line break itself is sent as it is. */
export function joinArguments(args: readonly (string | number)[]): readonly (string | number)[] {
  const text = args.join("\n");
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return text !== "" && lines === args.length ? [text] : ["", ...args];
}

/**
 * One atomic transition, written in Lua beside this file. All its keys lie in one slot. Sent by hash, and once in full
 * to a server that does not know it yet.
 */
export class Script {
  private readonly source: string;
  private readonly sha: string;
  private readonly joins: boolean;

  /** @param parts - Files whose functions the script uses, put before it. */
  constructor(fileName: string, parts: readonly string[] = []) {
    this.joins = parts[0] === ARGUMENTS_JOINED;
    this.source = [...parts, fileName]
      .map((name) => readFileSync(new URL(`./scripts/${name}`, import.meta.url), "utf8"))
      .join("\n");
    this.sha = createHash("sha1").update(this.source).digest("hex");
  }

  async run(
    redis: RedisClient,
    call: { readonly keys: readonly string[]; readonly args: readonly (string | number)[] },
  ): Promise<ScriptReply> {
    const rest = [...call.keys, ...(this.joins ? joinArguments(call.args) : call.args)];
    try {
      // ioredis types replies as unknown; a script's reply has no other forms than ScriptReply.
      return (await redis.evalsha(this.sha, call.keys.length, ...rest)) as ScriptReply;
    } catch (error) {
      if (!isMissingScript(error)) throw error;
      // The same reply, from the same source.
      return (await redis.eval(this.source, call.keys.length, ...rest)) as ScriptReply;
    }
  }
}

/** Whether Redis itself refused a command, in contrast to a connection that failed. */
export function isRedisReply(error: unknown): boolean {
  return error instanceof Error && error.name === "ReplyError";
}

/** Redis itself names this reply by its first word; it is a protocol code, not free text. */
export function isMissingScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT");
}
