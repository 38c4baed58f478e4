import { operation } from "../operation.ts";

/** Says only that this process answers; a Redis that is away is no reason to restart it. */
export const showLiveness = operation({
  id: "showLiveness",
  role: null,
  handle: async () => ({ status: "ok" }),
});
