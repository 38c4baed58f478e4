// A reporter for `node --test-reporter`, loaded into the process of the tests: Node's own JUnit reporter, written
// to file descriptor 3. Node's writer of files wants to flush, which the permission model refuses, and standard
// output is the tests'. It imports nothing of ours, because that process may read nothing else of ours.
import { writeFileSync } from "node:fs";
import { junit } from "node:test/reporters";
import type { TestEvent } from "node:test/reporters";

const RESULT = 3;

export default async function* reportTests(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  // A reporter's output would go among what the tests print.
  yield "";
  for await (const part of junit(unwrapped(events))) writeFileSync(RESULT, part);
}

/** Gives failures as they were thrown, without the runner's own error around them. */
async function* unwrapped(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  for await (const event of events) {
    const details = event.type === "test:fail" ? event.data.details : null;
    if (details?.error.cause instanceof Error) Object.assign(details, { error: details.error.cause });
    yield event;
  }
}
