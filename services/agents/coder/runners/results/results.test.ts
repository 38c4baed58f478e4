import fc from "fast-check";
import { expect, test } from "vitest";
import { toFileResults } from "./raw-test.ts";
import { readJest } from "./read-jest.ts";

test("a report of Jest or Vitest gives tests by file, and a file without tests did not load", () => {
  const report = {
    testResults: [
      {
        name: "/sandbox/work/a.test.ts",
        assertionResults: [
          {
            fullName: "adds",
            status: "failed",
            failureMessages: [
              "AssertionError: expected 1 to be 2 // Object.is\n    at /sandbox/work/a.test.ts:3:1",
            ],
          },
          { fullName: "later", status: "todo" },
        ],
      },
    ],
  };
  const around = { folder: "/sandbox/work", files: ["a.test.ts", "b.test.ts"], said: "SyntaxError: no\n" };
  expect(toFileResults(readJest(JSON.stringify(report)), around)).toMatchObject([
    {
      file: "a.test.ts",
      isLoaded: true,
      failing: [{ name: "adds", line: 3, message: expect.stringContaining("1 to be 2") }],
    },
    { file: "b.test.ts", isLoaded: false, failing: [{ name: "", message: "SyntaxError: no" }] },
  ]);
});

test("whatever a tool writes, it is read without an error", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.constantFrom("", '{"testResults":'), (text, head) => {
      const given = head + text;
      expect(
        toFileResults(readJest(given), { folder: "/w", files: ["a"], said: given }).length,
      ).toBeGreaterThan(0);
    }),
    { numRuns: 300 },
  );
});
