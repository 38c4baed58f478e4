import fc from "fast-check";
import { expect, test } from "vitest";
import { readEvents } from "./open-run.ts";
import type { ServerEvent } from "./open-run.ts";

async function* chunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function collect(text: string, size = 1000): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of readEvents(chunks(text, size))) events.push(event);
  return events;
}

const STREAM =
  ': suture\n\nid: 0\nevent: submitted\ndata: {"ü":1}\n\n: still here\n\nevent: end\ndata: {}\n\nid: 9\ndata: cut';

test("reads events, leaves out comments and what was cut off", async () => {
  expect(await collect(STREAM)).toEqual([
    { id: "0", event: "submitted", data: '{"ü":1}' },
    { id: null, event: "end", data: "{}" },
  ]);
});

test("reads the same however the bytes arrive, with either line ending", async () => {
  const expected = await collect(STREAM);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.boolean(), async (size, isCrLf) => {
      expect(await collect(isCrLf ? STREAM.replaceAll("\n", "\r\n") : STREAM, size)).toEqual(expected);
    }),
  );
});
