import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { z } from "zod";
import { Script } from "./script.ts";
import * as boards from "./scripts/boards.ts";
import * as cases from "./scripts/cases.ts";
import * as claims from "./scripts/claims.ts";
import * as fanOuts from "./scripts/fan-outs.ts";
import * as feedback from "./scripts/feedback.ts";
import * as groups from "./scripts/groups.ts";
import * as ledger from "./scripts/ledger.ts";
import * as people from "./scripts/people.ts";
import * as queues from "./scripts/queues.ts";
import * as runs from "./scripts/runs.ts";

/** Our scripts in the platform's own Redis. Those of attached queues run in somebody else's. */
const OWN = [boards, cases, claims, fanOuts, feedback, groups, ledger, people, queues, runs];
const OWN_SCRIPTS = OWN.flatMap((module): unknown[] => Object.values(module));

const listed = (words: string): string[] => words.split(" ");

/** BullMQ's scripts that the platform calls. Those of job schedulers, flows and relays are not among them. */
const ENGINE_SCRIPTS = listed(
  "addDelayedJob addPrioritizedJob addStandardJob cleanJobsInSet extendLock extendLocks getCounts" +
    " getJobs getMetrics getRanges getRateLimitTtl getState getStateV2 isFinished moveJobFromActiveToWait" +
    " moveStalledJobsToWait moveToActive moveToDelayed moveToFinished pause releaseLock removeJob" +
    " saveStacktrace",
);

const engineSchema = z.record(z.string(), z.object({ content: z.string() }));

/** Returns the SHA-1 digests of the scripts that the platform runs in Redis. */
function scriptDigests(): string[] {
  // BullMQ exports its scripts from no other place.
  const load: (path: string) => unknown = createRequire(import.meta.url);
  const engine = engineSchema.parse(load("bullmq/dist/cjs/scripts/index.js"));
  const sources = [
    ...OWN_SCRIPTS.filter((one) => one instanceof Script).flatMap(({ sources: { single, group } }) =>
      group === null ? [single.source] : [single.source, group.source],
    ),
    // Absent in a release of BullMQ that does not use it.
    ...ENGINE_SCRIPTS.flatMap((name) => engine[name]?.content ?? []),
  ];
  return sources.map((source) => createHash("sha1").update(source).digest("hex")).toSorted();
}

const CONNECT = listed(
  "auth hello ping quit select readonly client|setname info time cluster|slots cluster|shards" +
    " cluster|info",
);

const READ = listed(
  "exists type pttl get mget llen lindex lpos lrange hget hmget hgetall hexists hkeys hvals hlen" +
    " hstrlen hscan scard sismember smembers xlen xrange xrevrange zcard zcount zlexcount zscore zrank" +
    " zrange zrangebyscore zrangebylex zrevrange zrevrangebyscore zscan",
);

// Scripts run by digest alone. Loading one gives no right to run it; killing works after `lua-time-limit` only.
const WRITE = listed(
  "del unlink rename expire pexpire pexpireat persist set setnx incr incrby hset hmset hsetnx hdel" +
    " hincrby hrandfield sadd srem xadd xdel xtrim lpush rpush lpop rpop rpoplpush blmove lmove lset lrem ltrim zadd" +
    " zrem zremrangebyrank zremrangebyscore zpopmin zpopmax bzpopmin blmpop zinter zrandmember zunionstore multi" +
    " exec discard publish wait script|load script|kill",
);

const allow = (commands: readonly string[]): string[] => commands.map((command) => `+${command}`);

/** Looks only. */
export const LOOK: readonly string[] = ["-@all", ...allow([...CONNECT, ...READ])];

let work: readonly string[] | undefined;
let scripts: readonly string[] | undefined;

/** Returns the commands and scripts that a service uses, and no others. Reads BullMQ's scripts at the first call. */
export function workCommands(): readonly string[] {
  work ??= [...LOOK, ...allow(WRITE), ...scriptCommands()];
  return work;
}

/** Returns the permissions to run each script of the platform by its digest. */
export function scriptCommands(): readonly string[] {
  scripts ??= allow(scriptDigests().map((digest) => `evalsha|${digest}`));
  return scripts;
}

export const HEAR: readonly string[] = allow(["subscribe", "unsubscribe"]);
