import { z } from "zod";
import { operation } from "../operation.ts";

/** Says only that this process answers; a Redis that is away is no reason to restart it. */
export const showLiveness = operation({
  id: "showLiveness",
  summary: "Whether the process lives",
  scopes: null,
  status: 200,
  answers: z.object({ status: z.literal("ok") }),
  handle: async () => ({ status: "ok" }),
});
