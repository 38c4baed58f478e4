import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";

/** An older form of the first agent's payload. */
export const NoteV1 = contract("gw.note@1", z.strictObject({ words: z.string() }));

export const Note = contract(
  "gw.note@2",
  z.strictObject({ text: z.string().min(1), amount: z.number().max(1000).exactOptional() }),
  {
    upcast: (old) => ({ text: NoteV1.schema.parse(old).words }),
    check: (note) =>
      note.text === "nonsense" ? [{ path: "/text", code: "nonsense", message: "means nothing" }] : [],
  },
);

const Length = contract("gw.length@1", z.object({ text: z.string(), length: z.number() }));

const first = agent("gw-first@1", {
  accepts: Note,
  outside: true,
  to: { "gw-last": Length },
  description: "Counts.",
  capabilities: ["counting"],
  handle: (note, ctx) => ctx.handoff("gw-last", { text: note.text, length: note.text.length }),
});

const last = agent("gw-last@1", {
  accepts: Length,
  handle: (input, ctx) =>
    ctx.complete({
      length: input.length,
      query: ctx.envelope.user_context.original_query,
      meta: ctx.envelope.meta,
    }),
});

/** Two agents in a row, the first with a contract of two versions and a semantic check. No model is asked. */
export const chainTeam = team("gw-chain", [
  first,
  last,
  agent("gw-old@1", { accepts: NoteV1, handle: (_, ctx) => ctx.complete(null) }),
]);
