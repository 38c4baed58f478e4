import { z } from "zod";
import type { Variable } from "./variable.ts";

/** A BullMQ queue that runs anyway, which the console shows beside the teams. */
export interface AttachedQueueSetting {
  readonly name: string;
  /** Path of a JSON Schema file for the data of its jobs, from the working folder. Null: there is none. */
  readonly contract: string | null;
  /** JSON pointer to the part of the data that the contract is about. Empty: all of it. */
  readonly at: string;
}

const QUEUES_MAX = 20;

/** `name`, `name=file` or `name=file@/pointer`; BullMQ allows no colon in a name. */
const ENTRY = /^([^\s:=,{}]{1,200})(?:=([^\0,@]{1,1000})(?:@(\/[^\0,]{0,500}))?)?$/;

/** Reads queues with commas between them. */
export const attachedQueues: Variable<readonly AttachedQueueSetting[]> = {
  schema: z
    .string()
    .transform((text, context) => {
      const matches = text.split(",").map((entry) => ENTRY.exec(entry.trim()));
      const queues = matches
        .filter((match) => match !== null)
        .map(([, name = "", contract = null, at = ""]) => ({ name, contract, at }));
      const refuse = (message: string): typeof z.NEVER => {
        context.issues.push({ code: "custom", input: "", message });
        return z.NEVER;
      };
      if (queues.length < matches.length)
        return refuse("must be queue, queue=schema.json or queue=schema.json@/pointer, with commas between");
      if (queues.length > QUEUES_MAX) return refuse(`must name at most ${QUEUES_MAX} queues`);
      if (new Set(queues.map(({ name }) => name)).size < queues.length)
        return refuse("must name each queue once");
      return queues;
    })
    .optional()
    .transform((queues): readonly AttachedQueueSetting[] => queues ?? []),
  example: "orders=contracts/order.schema.json,mails",
};
