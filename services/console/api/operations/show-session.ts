import type { Handler } from "../operation.ts";

/** Who is asking, and what they may do. */
export const showSession: Handler<"showSession"> = async ({ console, caller }) => ({
  name: caller.name,
  role: caller.role,
  is_rehearsal: console.isRehearsal,
});
