import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { Team } from "#shared/runtime";

export const PATIENT = "Zephyrine Quillfeather";
/** Has the form of a provider's key. */
export const TOKEN = "sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";
export const INSTRUCTIONS = "Say where the ticket goes. House rule seven: never answer in verse.";

/** Marks nothing, or who wrote. */
function desk(name: string, person: z.ZodType<string>): Team {
  const Ticket = contract(
    `${name}.ticket@1`,
    z.strictObject({
      ref: z.string(),
      writer: person,
      text: z.string(),
      urgent: z.boolean(),
      colour: z.string(),
    }),
  );
  const Route = contract(`${name}.route@1`, z.strictObject({ queue: z.string(), writer: person }));
  const Work = contract(
    `${name}.work@1`,
    z.strictObject({ ref: z.string(), summary: z.string(), queue: z.string(), writer: person }),
  );
  const back = agent(`${name}-back@1`, {
    accepts: Work,
    handle: ({ ref, queue, writer }, ctx) => ctx.complete({ closed: ref, queue, told: writer }),
  });
  const front = agent(`${name}-front@1`, {
    accepts: Ticket,
    outside: true,
    to: { [`${name}-back`]: Work },
    handle: async ({ ref, writer, text, urgent }, ctx) => {
      if (text.startsWith("fail once") && ctx.envelope.meta.hop_count === 0) {
        await ctx.step("tried", () => ({ writer }));
        throw Object.assign(new Error(`nobody called ${writer}`), { code: "ECONNRESET" });
      }
      await ctx.step(`look up/${writer}`, () => ({ found: ref, by: writer, api_key: TOKEN }));
      const route = await ctx.model("route", {
        instructions: INSTRUCTIONS,
        input: { text, urgent, [writer]: "is a customer" },
        answers: Route,
      });
      await ctx.once(`refund ${writer}`, async () => ({ refunded: ref, to: writer, token: TOKEN }));
      const summary = text.split(". ").slice(0, 2).join(". ");
      return ctx.handoff(`${name}-back`, { ref, summary, queue: route.queue, writer: route.writer });
    },
  });
  return team(name, [front, back]);
}

/** Two agents of which the first looks something up, asks a model, has an effect and hands on. */
export const plainDesk = desk("desk", z.string());

/** The same, with who wrote marked as sensitive. */
export const markedDesk = desk("ward-desk", sensitive(z.string()));

export const TEXT = [
  "The parcel with the blue vase never came. The courier says that it was left with a neighbour.",
  "We have asked all of them and none has it. Please look into it before the weekend comes.",
  "By the way, the invoice that was sent along shows the wrong street, which somebody ought to correct.",
].join(" ");

export function ticket(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { ref: "AB-1234", writer: PATIENT, text: TEXT, urgent: true, colour: "blue", ...more };
}
