import { expectTypeOf, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import type { AnyAgent } from "./define-team.ts";
import { agent } from "./define-agent.ts";
import type { team } from "./define-team.ts";

/** What the compiler says of a team before it runs; `npm run check` holds it. */

const Note = contract("note@1", z.object({ text: z.string() }));
const Result = contract(
  "result@1",
  z.object({ status: z.enum(["done", "open"]), tags: z.array(z.string()), more: z.string().optional() }),
);
const start = agent("start@1", {
  accepts: Note,
  to: { end: Note },
  handle: (note, ctx) => ctx.handoff("end", note),
});
const end = agent("end@1", {
  accepts: Note,
  handle: async ({ text }, ctx) =>
    text === "" ? ctx.reject("empty") : ctx.complete({ status: "done", tags: ["a", text] }),
});
const wrong = agent("end@1", {
  accepts: Note,
  handle: ({ text }, ctx) =>
    text === "" ? ctx.complete({ wrong: 1 }) : ctx.complete({ status: "done", tags: [] }),
});
const loose = agent("end@1", { accepts: Note, handle: ({ text }, ctx) => ctx.complete(JSON.parse(text)) });

type Taken<Agents extends readonly AnyAgent[]> = Parameters<typeof team<"t", Agents, typeof Result>>[1];
type Start = typeof start;

it("takes agents that hand to each other and complete with the declared result, or with what no type tells", () => {
  expectTypeOf<[Start, typeof end]>().toExtend<Taken<[Start, typeof end]>>();
  expectTypeOf<[Start, typeof loose]>().toExtend<Taken<[Start, typeof loose]>>();
  expectTypeOf<readonly AnyAgent[]>().toExtend<Taken<readonly AnyAgent[]>>();
  expectTypeOf<readonly [...AnyAgent[], Start]>().toExtend<Taken<readonly [...AnyAgent[], Start]>>();
});

it("refuses an agent that hands to nobody of the team, by name", () => {
  expectTypeOf<[Start]>().not.toExtend<Taken<[Start]>>();
  expectTypeOf<Taken<[Start]>>().toExtend<"start hands to end, which is no agent of this team">();
});

it("refuses an agent that completes with another result, in any branch of its handler", () => {
  expectTypeOf<[Start, typeof wrong]>().not.toExtend<Taken<[Start, typeof wrong]>>();
  expectTypeOf<
    Taken<[Start, typeof wrong]>
  >().toExtend<"end completes with what is not the result that the team declares">();
});
