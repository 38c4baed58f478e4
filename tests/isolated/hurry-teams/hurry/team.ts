import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";

const Work = contract("hurry.work@1", z.strictObject({ id: z.string(), ms: z.int().nonnegative() }));

/** Milliseconds in which the first one must take what it is handed. */
export const WITHIN_MS = 800;

/** A caller that hands to a first one, and to a second one where the first does not take it in time. */
export default team(
  "hurry",
  [
    agent("caller@1", {
      outside: true,
      accepts: Work,
      to: { first: Work, second: Work },
      handle: (work, ctx) => ctx.handoff("first", work),
    }),
    ...["first", "second"].map((name) =>
      agent(`${name}@1`, {
        accepts: Work,
        handle: async ({ ms }, ctx) => {
          await new Promise((resolve) => setTimeout(resolve, ms));
          return ctx.complete({ by: name });
        },
      }),
    ),
  ],
  { acknowledgeWithinMs: { "caller>first": WITHIN_MS }, fallbacks: { "caller>first": ["second"] } },
);
