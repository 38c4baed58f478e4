import { expect, test } from "vitest";
import { perspectiveOf } from "./perspective.ts";

test("gives each of many identical voters a prompt of its own, the same each time, and the first none", () => {
  const voters = Array.from({ length: 12 }, () => ({}));
  const given = voters.map((_, at) => perspectiveOf(voters, at));
  expect(given[0]).toBeUndefined();
  expect(new Set(given).size).toBe(12);
  expect(voters.map((_, at) => perspectiveOf(voters, at))).toEqual(given);
});

test("leaves voters alone that differ in instructions or tier, and not those that differ in temperature", () => {
  const voters = [
    { instructions: "a" },
    { instructions: "b" },
    { instructions: "a", tier: "router" as const },
    { instructions: "a", temperature: 1 },
  ];
  const given = voters.map((_, at) => perspectiveOf(voters, at));
  expect(given.slice(0, 3)).toEqual([undefined, undefined, undefined]);
  expect(given[3]).toMatch(/before you decide/);
});
