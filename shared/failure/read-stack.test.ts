import { expect, it } from "vitest";
import { toFailure } from "./normalise-error.ts";
import { readStack } from "./normalise-error.ts";

const scene = { agent: "refunds@1", contract: null, direction: "run" } as const;

function throwIt(message: string): Error {
  return new TypeError(message);
}

it("names function, file and line of what threw, and no folder above the working one", () => {
  const stack = readStack(throwIt("x"));
  expect(stack[0]).toMatch(/^throwIt \(shared\/failure\/read-stack\.test\.ts:\d+:\d+\)$/);
  expect(stack.join("\n")).not.toContain(process.cwd());
});

it("names the user's files before those of packages, and of these only what is inside the package", () => {
  const error = new Error("x");
  error.stack = [
    "Error: x",
    "    at query (/srv/ada/shop/node_modules/pg/lib/client.js:1:2)",
    "    at node:internal/timers:3:4",
    `    at async handle (file://${process.cwd()}/team/refunds.ts:14:22)`,
    "    at async Promise.all (index 0)",
  ].join("\n");
  expect(readStack(error)).toEqual([
    "handle (team/refunds.ts:14:22)",
    "query (node_modules/pg/lib/client.js:1:2)",
    "node:internal/timers:3:4",
  ]);
});

it("leaves out a function's name that is data", () => {
  const name = "ada@example.com 4711";
  const made = { [name]: () => new Error("x") };
  const [frame] = readStack(made[name]?.() ?? new Error("none"));
  expect(frame).toMatch(/^shared\/failure\/read-stack\.test\.ts:\d+:\d+$/);
});

it("has no stack for what the agent's code did not throw", () => {
  expect(toFailure("text", scene)).not.toHaveProperty("stack");
});
