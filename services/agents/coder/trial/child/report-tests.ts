// A reporter for `node --test-reporter`, loaded into the process of the tests: writes the tests as JSON to file
// descriptor 3 when all have ended. Node's writer of files wants to flush, which the permission model refuses, and
// standard output is the tests'. It imports nothing of ours, because that process may read nothing else of ours.
import { writeFileSync } from "node:fs";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";

const RESULT = 3;

export default async function* reportTests(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  // A reporter's output would go among what the tests print.
  yield "";
  const tests: object[] = [];
  let depth = 0;
  for await (const { type, data } of events) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    // A suite is reported after its tests, which tell its result.
    const isParent = depth > data.nesting;
    depth = data.nesting;
    if (isParent || data.details.type === "suite" || data.skip !== undefined || data.todo !== undefined)
      continue;
    const error = type === "test:fail" ? data.details.error : null;
    const text = error === null ? "" : inspect(error.cause ?? error);
    tests.push({ name: data.name, hasPassed: error === null, text });
  }
  writeFileSync(RESULT, JSON.stringify(tests));
}
