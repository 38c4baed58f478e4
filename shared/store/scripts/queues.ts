import { DeclaredScript } from "../declared-script.ts";
import { nothing } from "../script-reply.ts";

export const addDelayed = new DeclaredScript("add-delayed.lua", {
  parts: ["redis-time.lua", "delayed-score.lua"],
  keys: ["delayed", "job"],
  touches: true,
  args: {
    jobId: "text",
    data: "text",
    options: "text",
    delayMs: "number",
    // 0: none.
    priority: "number",
    queueBase: "text",
  },
  reply: nothing,
});
