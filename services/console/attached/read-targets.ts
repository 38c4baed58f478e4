import { readFile } from "node:fs/promises";
import type { DataContractOptions } from "#shared/bullmq-ward";
import { ConfigError } from "#shared/config";
import type { Config } from "#shared/config";
import { isRecord, readJson } from "#shared/json";
import type { Logger } from "#shared/telemetry";

/** Address of an attached queue, and the contract of its jobs' data. */
export interface AttachedTarget {
  readonly url: string;
  readonly prefix: string;
  readonly name: string;
  /** Null: there is none. */
  readonly contract: DataContractOptions | null;
  readonly logger: Logger;
  /** Time that Redis has for one answer, in ms. Default 5,000. */
  readonly answerMs?: number;
}

/** Names a group, a case or work of an attached queue among those of every source. BullMQ's queues have no colon. */
export function attachedId(queue: string, id: string): string {
  return `bullmq:${queue}:${id}`;
}

/** Reads the configured attached queues. @throws {ConfigError} No Redis, or an unusable contract. */
export async function readTargets(
  config: Pick<Config, "attachedQueues" | "attachedRedisUrl" | "attachedPrefix">,
  logger: Logger,
): Promise<readonly AttachedTarget[]> {
  const { attachedQueues, attachedRedisUrl, attachedPrefix: prefix } = config;
  if (attachedQueues.length === 0) return [];
  if (attachedRedisUrl === null) {
    const problem = "must be set to the Redis of the queues that SUTURE_ATTACHED_QUEUES names";
    const example = "redis://127.0.0.1:6379";
    throw new ConfigError([{ variable: "SUTURE_ATTACHED_REDIS_URL", problem, example }]);
  }
  const url = attachedRedisUrl.reveal();
  return Promise.all(
    attachedQueues.map(async ({ name, contract: file, at }) => {
      const contract = file === null ? null : await readContract(file, at);
      return { url, prefix, name, contract, logger };
    }),
  );
}

async function readContract(file: string, at: string): Promise<DataContractOptions> {
  const schema = readJson(await readFile(file, "utf8").catch(() => ""));
  if (isRecord(schema)) return { schema, at };
  const problem = `names the contract ${file}, which cannot be read as a JSON Schema object, draft 2020-12`;
  throw new ConfigError([
    { variable: "SUTURE_ATTACHED_QUEUES", problem, example: "orders=contracts/order.json" },
  ]);
}
