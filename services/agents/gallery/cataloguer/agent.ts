import { blackboard } from "#shared/patterns";
import { agent } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import type { ContractOutput } from "#shared/contract";
import { Explained, Findings } from "../contracts.ts";
import { BOARD } from "../desk/agent.ts";

const LINES_MAX = 40;

/** Makes the card of a short snippet, with its code. Rejects long ones, which go to the index. */
export const cataloguer = agent("gallery-cataloguer@1", {
  accepts: Explained,
  description: "Makes a card with the code on it.",
  guard: { mayCause: [] },
  handle: async (explained, ctx) => {
    if (explained.code.trimEnd().split("\n").length > LINES_MAX)
      return ctx.reject(`a card has ${LINES_MAX} lines`);
    return ctx.complete({ ...(await describe(explained, ctx)), card: "whole", code: explained.code });
  },
});

/** Makes the entry of a snippet in the index, without its code. */
export const index = agent("gallery-index@1", {
  accepts: Explained,
  description: "Makes an entry of the index, without the code.",
  guard: { mayCause: [] },
  handle: async (explained, ctx) => ctx.complete({ ...(await describe(explained, ctx)), card: "index" }),
});

/** Returns the fields that both kinds of card have. `for_a_person`: the purpose of the code is unclear. */
async function describe(
  { title, language, purpose, names, example }: ContractOutput<typeof Explained>,
  ctx: Pick<Context, "board">,
) {
  const board = await blackboard(ctx, { name: BOARD, entry: Findings }).read();
  const findings = board.entries.get("findings")?.value ?? null;
  const status: "for_a_person" | "explained" = purpose === null ? "for_a_person" : "explained";
  return { status, title, language, purpose, names, example, ...findings };
}
