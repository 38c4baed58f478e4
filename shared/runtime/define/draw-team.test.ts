import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent } from "./define-agent.ts";
import { team } from "./define-team.ts";
import { drawTeam } from "./draw-team.ts";

const Task = contract("draw.task@1", z.object({ n: z.int() }));
const Part = contract("draw.part@1", z.object({ n: z.int() }));

it("draws every declared transition and no other: what may go back dashed, what joins double-edged", () => {
  const plan = agent("plan@1", {
    accepts: Task,
    to: { work: Part, merge: Task },
    handle: (_task, ctx) => ctx.complete(null),
  });
  const work = agent("work@2", {
    accepts: Part,
    to: { merge: Part },
    handle: (_part, ctx) => ctx.complete(null),
  });
  const merge = agent("merge@1", {
    accepts: Task,
    collects: Part,
    to: { plan: Task },
    handle: (_task, ctx) => ctx.complete(null),
  });
  expect(drawTeam(team("shop", [plan, work, merge], { loops: ["merge>plan"] })).split("\n")).toEqual([
    "flowchart LR",
    '  client(("task")) --> a0',
    '  a0["plan@1"]',
    '  a1["work@2"]',
    '  a2[["merge@1"]]',
    '  a0 -->|"draw.part@1"| a1',
    '  a0 -->|"draw.task@1"| a2',
    '  a1 -->|"draw.part@1"| a2',
    '  a2 -.->|"draw.task@1"| a0',
  ]);
});
