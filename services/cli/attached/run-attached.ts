import { BullmqWard } from "#shared/bullmq-ward";
import { AttachedRedisRefusedError, isRedisReply, openAttached } from "#shared/store/attached";
import { CommandRefusedError } from "../errors.ts";
import { writeError } from "../print/print-answer.ts";
import { readSchema } from "../repair/read-schema.ts";
import { ACTIONS } from "./actions.ts";
import type { AttachedOptions } from "./options.ts";

export type Action = keyof typeof ACTIONS;

/** Opens the ward of a queue, does what a command asks for, and closes its connections. */
export async function runAttached(action: Action, subject: string, options: AttachedOptions): Promise<void> {
  const { redis: url, queue: name, prefix, contract, at, mode, mayRepeatEffects } = options;
  if (url === undefined)
    throw new CommandRefusedError("No Redis is named.", "Give --redis redis://host:6379, or set REDIS_URL.");
  if (at !== undefined && contract === undefined)
    throw new CommandRefusedError("--at says where a contract holds, and there is none.", "Add --contract.");
  const schema = contract === undefined ? null : await readSchema(contract);
  const opened = await openAttached({ url, name, prefix, onError: ({ message }) => writeError(message) });
  try {
    if (!(await opened.exists()))
      throw new CommandRefusedError(
        `This Redis has no BullMQ queue "${name}" under the prefix "${prefix}".`,
        "Check --queue, --prefix and the database in --redis.",
      );
    const ward = new BullmqWard(opened.queue, {
      redis: opened.redis,
      ...(schema === null ? {} : { contract: { schema, ...(at === undefined ? {} : { at }) } }),
      ...(mode === undefined ? {} : { mode }),
      ...(mayRepeatEffects === undefined ? {} : { mayRepeatEffects }),
    });
    await ACTIONS[action](ward, options, subject);
  } catch (error) {
    throw isRedisReply(error) ? new AttachedRedisRefusedError(error) : error;
  } finally {
    await opened.close();
  }
}
