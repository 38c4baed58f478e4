import { measureQueues } from "../../live/measure.ts";
import type { Handler } from "../operation.ts";

export const listQueues: Handler<"listQueues"> = async ({ console }) => ({
  queues: await measureQueues(console),
});
