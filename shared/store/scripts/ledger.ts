import { DeclaredScript } from "../declared-script.ts";
import { flag } from "../script-reply.ts";

/** Reply: false where it is accepted or settled by now. */
export const refuseUnaccepted = new DeclaredScript("refuse-unaccepted.lua", {
  // Of the receiver.
  keys: ["ledger", "outbox", "job"],
  // Without an entry, a relay does what follows.
  args: { outcome: "text", digest: "text", lifeMs: "number", entryId: "text?", entry: "text" },
  reply: flag,
});

/** Reply: false where it was settled before. */
export const settleStranded = new DeclaredScript("settle-stranded.lua", {
  // Of the receiver.
  keys: ["ledger", "outbox"],
  args: { outcome: "text", lifeMs: "number", entryId: "text", entry: "text" },
  reply: flag,
});
