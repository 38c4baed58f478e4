import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import protobuf from "protobufjs";
import { describe, expect, it } from "vitest";
import { createFirst } from "#shared/envelope";
import { issueKeyring, Keyring } from "#shared/envelope/keys";
import { open, seal } from "#shared/envelope/seals";
import { CARRIED_FIELDS } from "./carried-message.ts";
import { checkRouting, decodeCarried, encodeCarried, routingOf } from "./index.ts";
import type { CarriedMessage } from "./index.ts";

const MASTER = Buffer.alloc(32, 7).toString("base64url");
const EDGES = [{ from: "gateway", to: "refunds" }];
const keyring = Keyring.merge(
  ["gateway", "refunds"].map((agent) => issueKeyring({ master: MASTER, agent, edges: EDGES })),
);
const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

const text = fc.string({ unit: "binary", maxLength: 300 });
const word = fc.string({ unit: "binary", minLength: 0, maxLength: 40 });
const count = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

/** Anything that has the form of a sealed message, genuine or not. */
const anyCarried: fc.Arbitrary<CarriedMessage> = fc
  .record({
    body: fc.oneof(
      text.map((sealed) => ({ sealed })),
      fc
        .uint8Array({ minLength: 1, maxLength: 300 })
        .map((bytes) => ({ sealed: Buffer.from(bytes).toString("base64"), encoding: "gzip" as const })),
    ),
    alg: fc.constantFrom("HS256" as const, "EdDSA" as const),
    key_id: word,
    value: word,
    attempt: count,
    routing: fc.record({
      message_id: word,
      run_id: word,
      trace_id: word,
      source_agent: word,
      target_agent: word,
      hop_count: count,
      max_hops: count,
      expires_at: fc.option(fc.string({ unit: "binary", minLength: 1, maxLength: 40 })),
    }),
    home: word,
    firstSentMs: count,
  })
  .map(({ body, alg, key_id, value, attempt, ...rest }) => ({
    sealed: { ...body, seal: { alg, key_id, value }, attempt },
    ...rest,
  }));

function sealedRefund(payload: unknown): { carried: CarriedMessage; jobId: string } {
  const envelope = createFirst({
    to: "refunds@1",
    contract: "refunds.request@1",
    payload,
    traceparent: TRACEPARENT,
  });
  const { message } = seal({ envelope, queue: "refunds", key: keyring.signing("gateway", "refunds") });
  const carried = { sealed: message, routing: routingOf(envelope), home: "eu", firstSentMs: 1 };
  return { carried, jobId: envelope.meta.message_id };
}

function openRefund(sealed: unknown, jobId: string): ReturnType<typeof open> {
  return open({ message: sealed, queue: "refunds", jobId, keyring });
}

const oracle = protobuf
  .parse(readFileSync(new URL("carried-message.proto", import.meta.url), "utf8"), { keepCase: true })
  .root.lookupType("suture.wire.v1.CarriedMessage");

describe("a carried message", () => {
  it.each([
    ["a small one", { text: "Ünïcödé, a 😀 and a \u0000" }],
    ["one that is stored as gzip", { texts: Array.from({ length: 20_000 }, (_, n) => `line ${n}`) }],
  ])("still verifies after %s was written and read", (_name, payload) => {
    const { carried, jobId } = sealedRefund(payload);
    const read = decodeCarried(encodeCarried(carried));
    expect(read).toEqual(carried);
    const { envelope, bytes } = openRefund(read.sealed, jobId);
    expect(bytes).toBe(openRefund(carried.sealed, jobId).bytes);
    expect(envelope.data_payload).toEqual(payload);
    expect(() => checkRouting(read.routing, envelope)).not.toThrow();
  });

  it("comes back as it was, whatever is in it", () => {
    fc.assert(
      fc.property(anyCarried, (carried) => {
        expect(decodeCarried(encodeCarried(carried))).toEqual(carried);
      }),
    );
  });

  it("is smaller than the stored JSON, for a small message and by a quarter for a large one", () => {
    const small = sealedRefund({ text: "x" }).carried;
    expect(encodeCarried(small).length).toBeLessThan(JSON.stringify(small).length);
    const noise = Array.from({ length: 20_000 }, (_, n) =>
      ((n * 2_654_435_761) % 4_294_967_296).toString(36),
    );
    const large = sealedRefund({ noise }).carried;
    expect(large.sealed.encoding).toBe("gzip");
    expect(encodeCarried(large).length).toBeLessThan(JSON.stringify(large.sealed).length * 0.77);
  });

  it.each([
    ["a lone surrogate", { sealed: "\ud800" }],
    ["gzip that is not canonical base64", { sealed: "QQ=\n=", encoding: "gzip" as const }],
    ["no gzip at all", { sealed: "", encoding: "gzip" as const }],
    ["a fraction of a delivery", { attempt: 0.5 }],
    ["more deliveries than can be counted", { attempt: 2 ** 53 }],
  ])("is refused with %s", (_name, odd) => {
    const { carried } = sealedRefund({ text: "x" });
    const written = (): Buffer => encodeCarried({ ...carried, sealed: { ...carried.sealed, ...odd } });
    expect(written).toThrow(expect.objectContaining({ code: "WIRE_MALFORMED" }));
  });

  it.each([
    "message_id",
    "run_id",
    "trace_id",
    "source_agent",
    "target_agent",
    "hop_count",
    "max_hops",
    "expires_at",
  ] as const)("is not believed where its field %s differs from the sealed envelope", (field) => {
    const { carried, jobId } = sealedRefund({ text: "x" });
    const { envelope } = openRefund(carried.sealed, jobId);
    const changed = { ...carried.routing, [field]: field.endsWith("s") ? 99 : "other" };
    expect(() => checkRouting(changed, envelope)).toThrow(
      expect.objectContaining({
        code: "WIRE_ROUTING_MISMATCH",
        paths: [`/${field}`],
        failureClass: "untrusted",
      }),
    );
  });
});

describe("the wire format", () => {
  it("has the fields that the .proto file says", () => {
    const ours = Object.entries(CARRIED_FIELDS).map(([name, { number, kind }]) => [name, number, kind]);
    const declared = oracle.fieldsArray.map(({ name, id, type }) => [
      name,
      id,
      type.replace("uint64", "uint"),
    ]);
    expect(ours).toEqual(declared);
  });

  it("is read by protobufjs as by us", () => {
    fc.assert(
      fc.property(anyCarried, (carried) => {
        const seen = oracle.toObject(oracle.decode(encodeCarried(carried)), {
          longs: Number,
          defaults: true,
        });
        const { sealed, routing } = carried;
        expect(seen).toMatchObject({
          ...routing,
          expires_at: routing.expires_at ?? "",
          key_id: sealed.seal.key_id,
          signature: sealed.seal.value,
          attempt: sealed.attempt,
          home: carried.home,
          first_sent_ms: carried.firstSentMs,
        });
        const body: unknown = sealed.encoding === "gzip" ? seen["gzip"] : (seen["text"] ?? "");
        const given = sealed.encoding === "gzip" ? Buffer.from(sealed.sealed, "base64") : sealed.sealed;
        expect(body).toEqual(given);
      }),
    );
  });

  it("reads what protobufjs wrote, with fields of a newer release in between", () => {
    const newer = protobuf
      .parse(
        `syntax = "proto3"; message Newer { string text = 1; sint64 below = 17; fixed64 far = 18; float f = 19;
         bytes blob = 20; string alg = 3; uint64 attempt = 6; repeated string more = 40; }`,
      )
      .root.lookupType("Newer");
    fc.assert(
      fc.property(text, count, fc.uint8Array(), fc.integer(), (sealed, attempt, blob, below) => {
        const given = { text: sealed, alg: "HS256", attempt, blob, below, far: 7, f: 0.5, more: ["a", ""] };
        const read = decodeCarried(newer.encode(given).finish());
        expect(read.sealed).toMatchObject({ sealed, attempt });
      }),
    );
  });

  it("answers any bytes with a message or one error, never with another one", () => {
    const read = (bytes: Uint8Array): string => {
      try {
        return typeof decodeCarried(bytes).sealed.sealed;
      } catch (error) {
        return error instanceof Error ? error.name : "nothing";
      }
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        expect(["string", "WIRE_MALFORMED"]).toContain(read(bytes));
      }),
      { numRuns: 2000 },
    );
    const whole = encodeCarried(sealedRefund({ text: "x" }).carried);
    for (let end = 0; end < whole.length; end += 1) {
      expect(["string", "WIRE_MALFORMED"]).toContain(read(whole.subarray(0, end)));
    }
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const hurt = Uint8Array.from(whole);
        hurt[at] = byte;
        expect(["string", "WIRE_MALFORMED"]).toContain(read(hurt));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["a length beyond the end", [10, 255, 255, 255, 255, 127]],
    ["a number without end", [48, ...Array.from({ length: 11 }, () => 255)]],
    ["field 0", [0, 0]],
    ["a group", [139, 1]],
    ["a text that is not UTF-8", [26, 2, 0xc3, 0x28]],
    ["a known field of another type", [8, 1]],
    ["a text and a gzip stream", [10, 1, 65, 18, 1, 65, 26, 5, ...Buffer.from("HS256")]],
    ["a bomb's length in an unknown field", [186, 7, 255, 255, 255, 255, 15]],
  ])("refuses %s", (_name, bytes) => {
    expect(() => decodeCarried(Uint8Array.from(bytes))).toThrow(
      expect.objectContaining({ code: "WIRE_MALFORMED" }),
    );
  });

  it("leaves the gzip packed: what a bomb would become is never made", () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    const { carried } = sealedRefund({ text: "x" });
    const sealed = { ...carried.sealed, sealed: bomb.toString("base64"), encoding: "gzip" as const };
    expect(decodeCarried(encodeCarried({ ...carried, sealed })).sealed.sealed.length).toBeLessThan(100_000);
  });
});
