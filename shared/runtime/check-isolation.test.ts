import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { checkIsolation } from "./check-isolation.ts";
import { agent } from "./define-agent.ts";
import type { AgentOptions } from "./define-agent.ts";
import { team } from "./define-team.ts";
import type { TeamOptions } from "./define-team.ts";

const Task = contract("task@1", z.object({ id: z.string() }));

function declare(
  more: Pick<AgentOptions<typeof Task, never>, "boards" | "collects">,
  options: TeamOptions = {},
) {
  const one = agent("one@1", { accepts: Task, handle: (_task, ctx) => ctx.complete(null), ...more });
  return [team("ones", [one], options)];
}

it.each([
  { what: "a board", teams: declare({ boards: ["notes"] }), says: "one opens the board notes" },
  { what: "a fan-out", teams: declare({ collects: Task }), says: "one collects the branches" },
])("refuses a team with $what at start, and says which agent needs it", ({ teams, says }) => {
  expect(() => checkIsolation(teams)).toThrow(says);
});

it("takes a team whose circuits pause an agent", () => {
  const teams = declare({}, { circuits: { one: { reaction: { kind: "pause" } } } });
  expect(() => checkIsolation(teams)).not.toThrow();
});
