import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toFileResults } from "./raw-test.ts";
import { readJest } from "./read-jest.ts";
import { readJunit } from "./read-junit.ts";

const names = (tests: readonly { name: string; hasPassed: boolean }[]): string[] =>
  tests.map(({ name, hasPassed }) => `${hasPassed ? "+" : "-"}${name}`);

describe("JUnit XML", () => {
  test("gives names, files, lines and what was said, entities and character data included", () => {
    const xml = `<?xml version="1.0"?><testsuites><testsuite name="pytest"><properties/>
      <testcase classname="tests.test_a" name="test_ok" file="tests/test_a.py" line="2" time="0.1" />
      <testcase classname="tests.test_a" name="test_&lt;b&gt;" file="tests/test_a.py" line="6"><failure message="assert 1 == &quot;2&quot;">E  1 &amp; 2</failure></testcase>
      <testcase name="broken" file="x.py"><error type="Oops"><![CDATA[a < b]]></error></testcase>
      <testcase name="later" file="x.py"><skipped/></testcase></testsuite></testsuites>`;
    const tests = readJunit(xml);
    expect(names(tests)).toEqual(["+test_ok", "-test_<b>", "-broken"]);
    expect(tests[1]).toMatchObject({ file: "tests/test_a.py", line: 7, text: 'assert 1 == "2"\nE  1 & 2' });
    expect(tests[2]?.text).toBe("Oops\na < b");
  });

  test("that breaks off has no tests", () => {
    expect(readJunit('<testsuites><testcase name="t"/>')).toEqual([]);
  });

  test("takes a suite's file where a test has none", () => {
    const xml = '<testsuite file="a.rb"><testcase name="t"><failure/></testcase></testsuite>';
    expect(readJunit(xml)).toMatchObject([{ file: "a.rb", hasPassed: false }]);
  });
});

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
    fc.property(
      fc.string({ maxLength: 200 }),
      fc.constantFrom("", "</testsuite>", "<testcase name='", '{"testResults":'),
      (text, head) => {
        const given = head.startsWith("</") ? text + head : head + text;
        const tests = [...readJunit(given), ...readJest(given)];
        expect(toFileResults(tests, { folder: "/w", files: ["a"], said: given }).length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 300 },
  );
});
