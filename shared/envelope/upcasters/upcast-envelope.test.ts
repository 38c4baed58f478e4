import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createNext } from "../create-next.ts";
import { ENVELOPE_SCHEMA_VERSION } from "../envelope.ts";
import { EnvelopeInvalidError, EnvelopeVersionUnsupportedError } from "../errors.ts";
import { open } from "../seals/open.ts";
import { readEnvelope } from "../read-envelope.ts";
import { seal } from "../seals/seal.ts";
import { firstEnvelope, keyringOf, NOW_MS } from "../sample-run.ts";
import { upcastEnvelope } from "./upcast-envelope.ts";

/** Bytes as they were written once. They never change; a new schema adds files. */
function golden(name: string): string {
  return readFileSync(new URL(`../golden/${name}`, import.meta.url), "utf8").trimEnd();
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
  it("still reads schema 0, and lifts it to the same envelope as ever", () => {
    const lifted = readEnvelope(golden("schema-0.golden"));
    expect(JSON.stringify(lifted)).toBe(golden("schema-0-lifted.golden"));
    expect(lifted.meta).toMatchObject({ source_agent: "researcher@2", hop_count: 1 });
  });

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

describe("upcastEnvelope", () => {
  it("refuses newer schemas and what is no schema", () => {
    expect(() => upcastEnvelope({ schema: 2 })).toThrow(EnvelopeVersionUnsupportedError);
    for (const schema of [-1, 0.5, "0", null, Number.NaN, undefined]) {
      expect(() => upcastEnvelope({ schema })).toThrow(EnvelopeInvalidError);
    }
    for (const value of [null, [], "x", 1]) expect(() => upcastEnvelope(value)).toThrow(EnvelopeInvalidError);
  });

  it("invents nothing for a schema 0 that lacks what it had, whatever is in its place", () => {
    for (const odd of [null, 1, "x", [], {}]) {
      const text = JSON.stringify({
        schema: 0,
        meta: odd,
        user_context: odd,
        task_context: odd,
        billing: odd,
      });
      expect(() => readEnvelope(text)).toThrow(EnvelopeInvalidError);
    }
    const old = JSON.parse(golden("schema-0.golden")) as { meta: Record<string, unknown> };
    for (const change of [
      { ttl_ms: -1 },
      { ttl_ms: 1e300 },
      { ttl_ms: "0" },
      { timestamp: "soon" },
      { path: [1] },
    ]) {
      const text = JSON.stringify({ ...old, meta: { ...old.meta, ...change } });
      expect(() => readEnvelope(text)).toThrow(EnvelopeInvalidError);
    }
  });
});
