import { Script } from "../script.ts";
import { listOf, record, text } from "../script-reply.ts";

/** Reply: an empty text for an entry that is too large. */
export const takeOutbox = new Script("take-outbox.lua", {
  keys: ["outbox"],
  // `anyOf`: number to choose at random; 0: those of `ids`. `bytesMax`: of one entry.
  args: { bytesMax: "number", anyOf: "number", ids: "texts" },
  reply: listOf(record({ id: text, text })),
});
