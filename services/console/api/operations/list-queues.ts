import { measureQueues } from "../../live/measure.ts";
import { operation } from "../operation.ts";

export const listQueues = operation({
  id: "listQueues",
  role: "viewer",
  handle: async ({ console }) => ({ queues: await measureQueues(console) }),
});
