import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readMessage } from "./read-message.ts";

const TEXT = '{"case_id":"c"}';

test("a case's message is shown as it was sealed or packed, and not where its encoding is unknown", () => {
  const packed = gzipSync(TEXT).toString("base64");
  expect(readMessage({ case_id: "c", sealed: TEXT })).toEqual({ case_id: "c" });
  expect(readMessage({ case_id: "c", sealed: packed, encoding: "gzip" })).toEqual({ case_id: "c" });
  expect(readMessage({ case_id: "c", sealed: TEXT, encoding: "br" })).toBeNull();
});
