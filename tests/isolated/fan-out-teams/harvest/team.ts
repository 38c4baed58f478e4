import { z } from "zod";
import { contract } from "#shared/contract";
import { fanOut, join } from "#shared/patterns";
import { agent, team } from "#shared/runtime";

const Plan = contract(
  "harvest.plan@1",
  z.strictObject({ id: z.string(), picked: z.int(), packed: z.int(), window: z.int().positive() }),
);
const Row = contract("harvest.row@1", z.strictObject({ row: z.int(), way: z.enum(["plain", "through"]) }));
const Basket = contract("harvest.basket@1", z.strictObject({ row: z.int() }));
const Count = contract(
  "harvest.count@1",
  z.strictObject({ rows: z.array(z.int()), missing: z.array(z.int()) }),
);

/** A foreman that has rows picked and packed, a barn that brings the baskets together, a clerk that counts them. */
export default team(
  "harvest",
  [
    agent("foreman@1", {
      outside: true,
      accepts: Plan,
      to: { picker: Row, packer: Row, barn: Plan },
      handle: (plan, ctx) =>
        fanOut({
          branches: Array.from({ length: plan.picked + plan.packed }, (_, row) =>
            ctx.handoff(row < plan.picked ? "picker" : "packer", {
              row,
              way: row % 2 === 0 ? "plain" : "through",
            }),
          ),
          join: ctx.handoff("barn", plan),
          policy: "collect",
          window: plan.window,
        }),
    }),
    agent("picker@1", {
      accepts: Row,
      to: { packer: Row, barn: Basket },
      // Every other row is picked by one and packed by another.
      handle: ({ row, way }, ctx) =>
        way === "plain" ? ctx.handoff("barn", { row }) : ctx.handoff("packer", { row, way: "plain" }),
    }),
    agent("packer@1", {
      accepts: Row,
      to: { barn: Basket },
      handle: ({ row }, ctx) => ctx.handoff("barn", { row }),
    }),
    join("barn@1", {
      accepts: Plan,
      collects: Basket,
      to: { clerk: Count },
      handle: (_plan, { answers, failures }, ctx) =>
        ctx.handoff("clerk", {
          rows: answers.map(({ value }) => value.row),
          missing: failures.map(({ index }) => index),
        }),
    }),
    agent("clerk@1", { accepts: Count, handle: (count, ctx) => ctx.complete(count) }),
  ],
  { handoffsMax: 60 },
);
