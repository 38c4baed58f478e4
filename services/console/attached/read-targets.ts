import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { DataContractOptions } from "#shared/bullmq-ward";
import type { Config } from "#shared/config";
import type { Logger } from "#shared/telemetry";
import { AttachedUnusableError } from "../errors.ts";
import type { AttachedTarget } from "./attached-link.ts";

const schemaValue = z.record(z.string(), z.unknown());

/**
 * Reads the attached queues that are configured, with their contracts.
 *
 * @throws {AttachedUnusableError} They have no Redis, or a contract cannot be used.
 */
export async function readTargets(
  config: Pick<Config, "attachedQueues" | "attachedRedisUrl" | "attachedPrefix">,
  logger: Logger,
): Promise<readonly AttachedTarget[]> {
  const { attachedQueues, attachedRedisUrl, attachedPrefix: prefix } = config;
  if (attachedQueues.length === 0) return [];
  if (attachedRedisUrl === null)
    throw new AttachedUnusableError(
      "SUTURE_ATTACHED_QUEUES names some, and SUTURE_ATTACHED_REDIS_URL is not set",
      "Set SUTURE_ATTACHED_REDIS_URL to the Redis of these queues, such as redis://127.0.0.1:6379.",
    );
  const url = attachedRedisUrl.reveal();
  return Promise.all(
    attachedQueues.map(async ({ name, contract: file, at }) => {
      const contract = file === null ? null : await readContract(file, at);
      return { url, prefix, name, contract, logger };
    }),
  );
}

async function readContract(file: string, at: string): Promise<DataContractOptions> {
  const remedy = "Correct SUTURE_ATTACHED_QUEUES, or the file: a JSON Schema object, draft 2020-12.";
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) throw new AttachedUnusableError(`the contract ${file} cannot be read`, remedy);
  const schema = schemaValue.safeParse(parse(text));
  if (!schema.success)
    throw new AttachedUnusableError(`the contract ${file} holds no JSON Schema object`, remedy);
  return { schema: schema.data, at };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
