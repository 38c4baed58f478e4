import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it, test } from "vitest";
import { firstEnvelope, keyringOf, NOW_MS } from "./testing/first-envelope.ts";
import { createNext } from "./create-next.ts";
import { ENVELOPE_SCHEMA_VERSION } from "./envelope.ts";
import {
  EnvelopeInvalidError,
  EnvelopeVersionUnsupportedError,
  EnvelopeTooLargeError,
  SealMalformedError,
} from "./errors.ts";
import { readEnvelope } from "./read-envelope.ts";
import { open, unpackText } from "./seals/open.ts";
import { seal } from "./seals/seal.ts";

/** Bytes as they were written once. They never change; a new schema adds files. */
function golden(name: string): string {
  return readFileSync(new URL(`./golden/${name}`, import.meta.url), "utf8").trimEnd();
}

function currentEnvelope(): ReturnType<typeof createNext> {
  return createNext({
    parent: firstEnvelope(),
    parentDigest: "a".repeat(64),
    from: "triage@1",
    to: "refunds@1",
    contract: "refunds.request@2",
    payload: { summary: "Refund of order 007 — “late”", file_references: [] },
    spent: { cost: 0.04, tokens: 1500 },
    nowMs: NOW_MS + 1000,
  });
}

describe("the bytes of every schema", () => {
  it("writes schema 1 as ever", () => {
    expect(ENVELOPE_SCHEMA_VERSION).toBe(1);
    expect(JSON.stringify(currentEnvelope())).toBe(golden("schema-1.golden"));
    expect(readEnvelope(golden("schema-1.golden"))).toEqual(currentEnvelope());
  });

  it("seals schema 1 under a derived key as ever, and opens what was sealed then", () => {
    const envelope = currentEnvelope();
    const keyring = keyringOf("triage", "refunds");
    const { message } = seal({ envelope, queue: "refunds", key: keyring.signing("triage", "refunds") });
    expect(JSON.stringify(message)).toBe(golden("sealed-1.golden"));
    const stored: unknown = JSON.parse(golden("sealed-1.golden"));
    const jobId = envelope.meta.message_id;
    expect(open({ message: stored, queue: "refunds", jobId, keyring }).envelope).toEqual(envelope);
  });
});

it("takes the days of the calendar alone, of leap years and others", () => {
  const written = currentEnvelope();
  const isTaken = (day: string): boolean => {
    try {
      readEnvelope(
        JSON.stringify({ ...written, meta: { ...written.meta, timestamp: `${day}T00:00:00.000Z` } }),
      );
      return true;
    } catch {
      return false;
    }
  };
  const two = (number: number): string => String(number).padStart(2, "0");
  for (const year of [1900, 2000, 2023, 2024])
    for (let month = 0; month <= 13; month += 1)
      for (let day = 0; day <= 32; day += 1) {
        const text = `${year}-${two(month)}-${two(day)}`;
        const isDay = new Date(text).toJSON()?.startsWith(text) ?? false;
        expect(isTaken(text), text).toBe(isDay);
      }
});

describe("an envelope's version", () => {
  it("is refused as unsupported where a newer release wrote it, and as invalid where it is none", () => {
    const written: Record<string, unknown> = JSON.parse(golden("schema-1.golden"));
    const withSchema = (schema: unknown) => () => readEnvelope(JSON.stringify({ ...written, schema }));
    expect(withSchema(2)).toThrow(EnvelopeVersionUnsupportedError);
    for (const schema of [-1, 0, 0.5, "1", null, undefined])
      expect(withSchema(schema)).toThrow(EnvelopeInvalidError);
    for (const text of ["null", "[]", '"x"', "1"])
      expect(() => readEnvelope(text)).toThrow(EnvelopeInvalidError);
  });
});

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
