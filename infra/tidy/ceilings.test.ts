import { expect, it } from "vitest";
import { checkCeilings, countLines, lowerCeilings } from "./ceilings.ts";

const messages = (counts: object, ceilings: object): string[] =>
  checkCeilings(new Map(Object.entries(counts)), new Map(Object.entries(ceilings))).map(
    ({ message }) => message,
  );

it("counts source by room, tests and their support together, and every file", () => {
  const paths = new Set([
    "shared/store/a.ts",
    "shared/store/cut.lua",
    "shared/store/a.test.ts",
    "shared/store/README.md",
    "services/agents/support/team.ts",
    "services/agents/support/samples/made.ts",
    "services/agents/main.ts",
    "tests/support/b.ts",
    "bench/repair/c.ts",
    "vitest.config.ts",
  ]);
  expect(Object.fromEntries(countLines(paths, () => "one\ntwo\n"))).toEqual({
    files: 10,
    tests: 6,
    "shared/store": 4,
    "services/agents/support": 2,
    services: 2,
    bench: 2,
    root: 2,
  });
});

it("refuses what is over, what has no ceiling, and a ceiling that holds nothing, each with the way out", () => {
  expect(messages({ a: 1000, tests: 300 }, { a: 1030, tests: 310 })).toEqual([]);
  expect(messages({ a: 1001 }, { a: 1000 })).toEqual([expect.stringMatching(/^a: 1001 lines, over .*1000/)]);
  expect(messages({ a: 1000 }, { a: 1031 })).toEqual([expect.stringMatching(/--ceilings` lowers it$/)]);
  expect(messages({ files: 5 }, {})).toEqual([expect.stringMatching(/^files: 5 files and no ceiling/)]);
  expect(messages({}, { gone: 5 })).toHaveLength(1);
});

it("lowers and never raises, takes new rooms in and lets those go that are gone", () => {
  const counts = new Map(Object.entries({ a: 90, b: 120, fresh: 7 }));
  const ceilings = new Map(Object.entries({ a: 100, b: 100, gone: 5 }));
  expect(Object.fromEntries(lowerCeilings(counts, ceilings))).toEqual({ a: 90, b: 100, fresh: 7 });
});
