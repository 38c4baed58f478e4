import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { testRedis } from "#shared/testing";
import { joinArguments } from "./script.ts";

const redis = testRedis();
afterAll(() => redis.disconnect());

const SPLIT = readFileSync(new URL("./scripts/split-arguments.lua", import.meta.url), "utf8");

it("joins arguments, unless one of them would be taken for several", () => {
  expect(joinArguments(["a", "", 1])).toEqual(["a\n\n1"]);
  expect(joinArguments(["a\n", "b"])).toEqual(["", "a\n", "b"]);
  expect(joinArguments([""])).toEqual(["", ""]);
});

it("gives a script its arguments as they were, joined or not, whatever they hold", async () => {
  const argument = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "\n", "\r", "", "ü", "\u2028", '"', "\\", "\0") }),
    fc.constantFrom("", "\n", "1", '{"a":1}'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(argument, { minLength: 1, maxLength: 60 }), async (args) => {
      const sent = joinArguments(args);
      expect(await redis.eval(`${SPLIT}\nreturn ARGV`, 0, ...sent)).toEqual(args);
    }),
    { numRuns: 300 },
  );
});
