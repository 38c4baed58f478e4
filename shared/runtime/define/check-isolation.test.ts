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

it("refuses a team with a board at start, and says which agent needs it", () => {
  expect(() => checkIsolation(declare({ boards: ["notes"] }))).toThrow("one opens the board notes");
});

it.each([
  {
    what: "whose circuits pause an agent",
    teams: declare({}, { circuits: { one: { reaction: { kind: "pause" } } } }),
  },
  { what: "that joins branches", teams: declare({ collects: Task }) },
])("takes a team $what", ({ teams }) => {
  expect(() => checkIsolation(teams)).not.toThrow();
});
