import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";

const Order = contract(
  "works.order@1",
  z.strictObject({ id: z.string(), by: z.enum(["maker", "press"]), isBad: z.boolean() }),
);
export const Part = contract("works.part@1", z.strictObject({ id: z.string(), holes: z.int() }));

/** Long enough that nothing goes on trial by itself while a test looks. */
const LONG_MS = 600_000;

const maker = (name: string) =>
  agent(`${name}@1`, {
    accepts: Order,
    to: { room: Part },
    handle: ({ id, isBad }, ctx) =>
      // A model's answer behind a cast, say: nothing mends it.
      ctx.handoff("room", { id, holes: (isBad ? ["three"] : 3) as number }),
  });

/** Orders go to a maker for whom a spare one stands in, or to a press that is paused when it makes too much scrap. */
export default team(
  "works",
  [
    agent("front@1", {
      outside: true,
      accepts: Order,
      to: { maker: Order, spare: Order, press: Order },
      handle: (order, ctx) => ctx.handoff(order.by, order),
    }),
    maker("maker"),
    maker("spare"),
    maker("press"),
    agent("room@1", {
      accepts: Part,
      handle: (_part, ctx) => ctx.complete({ path: ctx.envelope.meta.path }),
    }),
  ],
  {
    circuits: {
      front: { outputsMin: 4 },
      maker: {
        outputsMin: 4,
        trialOutputs: 2,
        trialShare: 0.5,
        cooldownMs: LONG_MS,
        reaction: { kind: "fall_back", agent: "spare" },
      },
      press: { outputsMin: 4, trialOutputs: 2, cooldownMs: LONG_MS, reaction: { kind: "pause" } },
    },
  },
);
