import { operation } from "../operation.ts";

/** Who is asking, and what they may do. */
export const showSession = operation({
  id: "showSession",
  role: "viewer",
  handle: async ({ console, caller }) => ({
    name: caller.name,
    role: caller.role,
    is_rehearsal: console.isRehearsal,
  }),
});
