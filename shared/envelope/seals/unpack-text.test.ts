import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { EnvelopeTooLargeError, SealMalformedError } from "../errors.ts";
import { unpackText } from "./open.ts";

const packed = gzipSync('{"a":1}').toString("base64");

test("a sealed text is given as it is, or unpacked", () => {
  expect(unpackText({ sealed: '{"a":1}' }, 100)).toBe('{"a":1}');
  expect(unpackText({ sealed: packed, encoding: "gzip" }, 100)).toBe('{"a":1}');
});

test.each(["br", "GZIP", "gzip ", "identity", "", null, 0, ["gzip"]])(
  "an encoding that nobody writes is refused rather than read as text: %j",
  (encoding) => {
    expect(() => unpackText({ sealed: '{"a":1}', encoding }, 100)).toThrow(SealMalformedError);
  },
);

test("what is packed otherwise than this library packs, or too large, is refused", () => {
  expect(() => unpackText({ sealed: `${packed}\n`, encoding: "gzip" }, 100)).toThrow(SealMalformedError);
  expect(() => unpackText({ sealed: packed.slice(0, 12), encoding: "gzip" }, 100)).toThrow(
    SealMalformedError,
  );
  const large = gzipSync("x".repeat(1000)).toString("base64");
  expect(() => unpackText({ sealed: large, encoding: "gzip" }, 999)).toThrow(EnvelopeTooLargeError);
});
