import fc from "fast-check";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { SutureError } from "#shared/errors";
import { firstEnvelope, keyringOf } from "../testing/first-envelope.ts";
import { createNext } from "../create-next.ts";
import type { Envelope } from "../envelope.ts";
import {
  EdgeMismatchError,
  EnvelopeInvalidError,
  EnvelopeTooLargeError,
  EnvelopeVersionUnsupportedError,
  JsonBoundError,
  MessageIdMismatchError,
  PathMismatchError,
  SealMalformedError,
  SignatureMismatchError,
  SigningKeyMissingError,
  UnknownKeyError,
  UntrustedMessageError,
} from "../errors.ts";
import { open } from "./open.ts";
import { seal, sealBytes } from "./seal.ts";
import { digestOf, signParts } from "./signature.ts";
import type { SealedMessage } from "./sealed-message.ts";

const gateway = keyringOf("gateway");
const triage = keyringOf("triage");
const edgeKey = gateway.signing("gateway", "triage");

function sealFirst(envelope: Envelope = firstEnvelope()): {
  message: SealedMessage;
  jobId: string;
  bytes: string;
} {
  const { message, bytes } = seal({ envelope, queue: "triage", key: edgeKey });
  return { message, jobId: envelope.meta.message_id, bytes };
}

function openFirst(message: unknown, jobId: string, queue = "triage"): Envelope {
  return open({ message, queue, jobId, keyring: triage }).envelope;
}

/** Returns a message that a sender with a true key but bad intent (or a bug) could store. */
function forge(change: (envelope: Envelope) => unknown): { message: SealedMessage; jobId: string } {
  const envelope = firstEnvelope();
  const bytes = JSON.stringify(change(envelope));
  const id = envelope.meta.message_id;
  return { message: sealBytes({ bytes, queue: "triage", id, key: edgeKey }), jobId: id };
}

describe("open", () => {
  it("gives back what was sealed, from the queue and from its retry queue", () => {
    const { message, jobId, bytes } = sealFirst();
    const opened = open({ message, queue: "triage.retry", jobId, keyring: triage });
    expect(opened.envelope).toEqual(firstEnvelope());
    expect(opened.bytes).toBe(bytes);
    expect(opened.key.key_id).toBe("gateway>triage#1");
    expect(openFirst({ ...message, attempt: 7 }, jobId)).toEqual(firstEnvelope());
  });

  it("gives the digest that seal gave", () => {
    const sealed = seal({ envelope: firstEnvelope(), queue: "triage", key: edgeKey });
    const { digest } = open({
      message: sealed.message,
      queue: "triage",
      jobId: firstEnvelope().meta.message_id,
      keyring: triage,
    });
    expect(digest).toBe(sealed.digest);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it("round-trips any JSON payload", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (payload) => {
        const plain: unknown = JSON.parse(JSON.stringify(payload).replaceAll("__proto__", "proto"));
        const { message, jobId } = sealFirst(firstEnvelope({ payload: plain }));
        expect(openFirst(JSON.parse(JSON.stringify(message)), jobId).data_payload).toEqual(plain);
      }),
      { numRuns: 200 },
    );
  });

  it("refuses every change of a single bit, wherever it is", () => {
    const { message, jobId } = sealFirst();
    const stored = Buffer.from(message.sealed);
    for (let bit = 0; bit < stored.length * 8; bit += 1) {
      const changed = Buffer.from(stored);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const sealed = changed.toString("utf8");
      expect(() => openFirst({ ...message, sealed }, jobId)).toThrow(SignatureMismatchError);
    }
  });

  it("refuses every change of one character of the signature, also one that decodes to the same bytes", () => {
    const { message, jobId } = sealFirst();
    const { value } = message.seal;
    for (let i = 0; i < value.length; i += 1) {
      for (const char of "AZaz09-_+/=. \n") {
        if (value[i] === char) continue;
        const forged = value.slice(0, i) + char + value.slice(i + 1);
        const changed = { ...message.seal, value: forged };
        expect(() => openFirst({ ...message, seal: changed }, jobId)).toThrow(SignatureMismatchError);
      }
    }
    for (const forged of ["", `${value}=`, `${value}A`, value.slice(1), ` ${value}`]) {
      const changed = { ...message.seal, value: forged };
      expect(() => openFirst({ ...message, seal: changed }, jobId)).toThrow(SignatureMismatchError);
    }
  });

  it("refuses a lone surrogate in place of the replacement character that has the same bytes", () => {
    const { message, jobId } = sealFirst(firstEnvelope({ payload: "\ufffd" }));
    expect(() =>
      openFirst({ ...message, sealed: message.sealed.replace("\ufffd", "\ud800") }, jobId),
    ).toThrow(SealMalformedError);
  });

  it("refuses a copy in another queue or under another job id", () => {
    const { message, jobId } = sealFirst();
    const everyone = keyringOf("gateway", "triage", "refunds");
    for (const queue of ["refunds", "ward", "triage.retry.retry", "", "triage\u0000"]) {
      expect(() => open({ message, queue, jobId, keyring: everyone })).toThrow(SignatureMismatchError);
    }
    for (const id of ["", `${jobId} `, `${jobId}\u0000`, "0", jobId.toUpperCase()]) {
      expect(() => openFirst(message, id)).toThrow(SignatureMismatchError);
    }
  });

  it("refuses an encoding that was added or taken away", () => {
    const { message, jobId } = sealFirst();
    expect(() => openFirst({ ...message, encoding: "gzip" }, jobId)).toThrow(SignatureMismatchError);
    expect(() => openFirst({ ...message, encoding: "br" }, jobId)).toThrow(SealMalformedError);
    const packed = sealFirst(
      firstEnvelope({ payload: Array.from({ length: 40 }, () => "long words ".repeat(400)) }),
    );
    const { encoding: _gone, ...plain } = packed.message;
    expect(packed.message.encoding).toBe("gzip");
    expect(() => openFirst(plain, packed.jobId)).toThrow(SignatureMismatchError);
    expect(openFirst(packed.message, packed.jobId).data_payload).toHaveLength(40);
  });

  it("refuses a message that names another algorithm", () => {
    const { message, jobId } = sealFirst();
    for (const alg of ["EdDSA", "none", "HS512", "", null]) {
      const changed = { ...message.seal, alg };
      expect(() => openFirst({ ...message, seal: changed }, jobId)).toThrow(UntrustedMessageError);
    }
  });

  it("refuses a key that it was not given, and one of another edge", () => {
    const { message, jobId } = sealFirst();
    expect(() => open({ message, queue: "triage", jobId, keyring: keyringOf("surgeon") })).toThrow(
      UnknownKeyError,
    );
    for (const key_id of ["refunds>triage#1", "triage>refunds#1"]) {
      const changed = { ...message.seal, key_id };
      expect(() => openFirst({ ...message, seal: changed }, jobId)).toThrow(SignatureMismatchError);
    }
    for (const key_id of ["__proto__", "constructor", "gateway>triage#2", ""]) {
      expect(() => openFirst({ ...message, seal: { ...message.seal, key_id } }, jobId)).toThrow(
        UnknownKeyError,
      );
    }
  });

  it("refuses an agent that signs truly but as somebody else", () => {
    const envelope = firstEnvelope();
    const key = keyringOf("refunds").signing("refunds", "triage");
    const id = envelope.meta.message_id;
    const message = sealBytes({ bytes: JSON.stringify(envelope), queue: "triage", id, key });
    expect(() => openFirst(message, id)).toThrow(EdgeMismatchError);
  });

  it("refuses an envelope that is addressed to another agent, or sealed for another queue by the same process", () => {
    const stray = forge((envelope) => ({
      ...envelope,
      meta: { ...envelope.meta, target_agent: "refunds@1" },
    }));
    expect(() => openFirst(stray.message, stray.jobId)).toThrow(EdgeMismatchError);
    const { jobId, bytes } = sealFirst();
    const message = sealBytes({ bytes, queue: "refunds", id: jobId, key: edgeKey });
    const keyring = keyringOf("gateway", "triage", "refunds");
    expect(() => open({ message, queue: "refunds", jobId, keyring })).toThrow(EdgeMismatchError);
  });

  it("refuses an envelope whose message id is not the job id it was sealed for", () => {
    const { bytes } = sealFirst();
    const message = sealBytes({ bytes, queue: "triage", id: "another", key: edgeKey });
    expect(() => openFirst(message, "another")).toThrow(MessageIdMismatchError);
  });

  it("recounts the hops and the sender from the path", () => {
    for (const change of [
      { hop_count: 3 },
      { path: ["gateway@1", "refunds@1"], hop_count: 1 },
      { trace_id: "1".repeat(32) },
    ]) {
      const lie = forge((envelope) => ({ ...envelope, meta: { ...envelope.meta, ...change } }));
      expect(() => openFirst(lie.message, lie.jobId)).toThrow(PathMismatchError);
    }
  });

  it("refuses whatever is no sealed message, before anything is parsed", () => {
    const { message, jobId } = sealFirst();
    const strange: unknown[] = [
      null,
      undefined,
      0,
      "",
      [],
      {},
      JSON.stringify(message),
      firstEnvelope(),
      { ...message, sealed: null },
      { ...message, sealed: [message.sealed] },
      { ...message, seal: null },
      { ...message, seal: { ...message.seal, value: 1 } },
      { ...message, seal: { ...message.seal, key_id: {} } },
      { ...message, attempt: -1 },
      { ...message, attempt: "1" },
      { ...message, attempt: Number.NaN },
      { ...message, sealed: "x".repeat(3 * 1024 * 1024) },
    ];
    for (const data of strange) expect(() => openFirst(data, jobId)).toThrow(SealMalformedError);
  });

  it("stops a gzip bomb at the bound, and takes no gzip that is not what it says", () => {
    const id = firstEnvelope().meta.message_id;
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024)).toString("base64");
    const stored = (sealed: string): SealedMessage => {
      const plain = sealBytes({ bytes: "x", queue: "triage", id, key: edgeKey });
      return { ...plain, sealed, encoding: "gzip" };
    };
    expect(() => openFirst(stored(bomb), id)).toThrow(SignatureMismatchError);
    const signed = signAsGzip(bomb, id);
    expect(() => openFirst(signed, id)).toThrow(EnvelopeTooLargeError);
    for (const sealed of ["", "not gzip", `${gzipSync("{}").toString("base64")}\n`]) {
      expect(() => openFirst(signAsGzip(sealed, id), id)).toThrow(SealMalformedError);
    }
  });

  it("says which field of a truly signed envelope is bad, and never takes zero or nothing for no limit", () => {
    const bad: [string, (envelope: Envelope) => unknown][] = [
      ["/billing/cost_limit", (e) => ({ ...e, billing: { ...e.billing, cost_limit: null } })],
      ["/billing/cost_limit", (e) => ({ ...e, billing: { ...e.billing, cost_limit: "0" } })],
      ["/billing/cost_so_far", (e) => ({ ...e, billing: { ...e.billing, cost_so_far: -1 } })],
      ["/billing/token_limit", (e) => ({ ...e, billing: { ...e.billing, token_limit: 1.5 } })],
      ["/meta/max_hops", (e) => ({ ...e, meta: { ...e.meta, max_hops: -1 } })],
      ["/meta/expires_at", (e) => ({ ...e, meta: { ...e.meta, expires_at: "2026-02-31T00:00:00.000Z" } })],
      ["/meta/expires_at", (e) => ({ ...e, meta: { ...e.meta, expires_at: 0 } })],
      ["/meta/message_id", (e) => ({ ...e, meta: { ...e.meta, message_id: "\u0000" } })],
      [
        "/meta/traceparent",
        (e) => ({ ...e, meta: { ...e.meta, traceparent: `00-${"0".repeat(32)}-${"1".repeat(16)}-01` } }),
      ],
      ["/data_payload", ({ data_payload: _gone, ...e }) => e],
      ["/extra", (e) => ({ ...e, extra: 1 })],
    ];
    for (const [path, change] of bad) {
      const { message, jobId } = forge(change);
      const thrown = thrownBy(() => openFirst(message, jobId));
      expect(thrown).toBeInstanceOf(EnvelopeInvalidError);
      expect((thrown as SutureError).paths).toContain(path);
    }
  });

  it("leaves a newer schema to a newer worker and refuses one that is none", () => {
    const newer = forge((envelope) => ({ ...envelope, schema: 2, news: true }));
    const thrown = thrownBy(() => openFirst(newer.message, newer.jobId));
    expect(thrown).toBeInstanceOf(EnvelopeVersionUnsupportedError);
    expect((thrown as SutureError).failureClass).toBe("unsupported_version");
    for (const schema of ["1", 1.5, -1, null, undefined, [1]]) {
      const { message, jobId } = forge((envelope) => ({ ...envelope, schema }));
      expect(() => openFirst(message, jobId)).toThrow(EnvelopeInvalidError);
    }
  });

  it("keeps fields of meta that it does not know, and hands them on", () => {
    const { message, jobId } = forge((e) => ({ ...e, meta: { ...e.meta, news: { from: "later" } } }));
    const opened = open({ message, queue: "triage", jobId, keyring: triage });
    expect(opened.envelope.meta["news"]).toEqual({ from: "later" });
    const child = createNext({
      parent: opened.envelope,
      parentDigest: opened.digest,
      from: "triage@1",
      to: "refunds@1",
      contract: "refunds.request@1",
      payload: {},
    });
    expect(child.meta["news"]).toEqual({ from: "later" });
  });
});

describe("seal", () => {
  it("gives the same seal for both queues of an agent", () => {
    const envelope = firstEnvelope();
    const fresh = seal({ envelope, queue: "triage", key: edgeKey });
    const retry = seal({ envelope, queue: "triage.retry", key: edgeKey });
    expect(retry.message).toEqual(fresh.message);
  });

  it("refuses to sign on an edge that the key is not for, or may only verify", () => {
    const envelope = firstEnvelope();
    const foreign = keyringOf("refunds").signing("refunds", "triage");
    const verifyOnly = triage.find("gateway>triage#1");
    expect(() => seal({ envelope, queue: "triage", key: foreign })).toThrow(SigningKeyMissingError);
    expect(verifyOnly).toBeDefined();
    if (verifyOnly !== undefined) {
      expect(() => seal({ envelope, queue: "triage", key: verifyOnly })).toThrow(SigningKeyMissingError);
    }
    expect(() => seal({ envelope, queue: "refunds", key: edgeKey })).toThrow(EnvelopeInvalidError);
  });

  it("names the field of content that belongs beside the envelope", () => {
    const blob = Buffer.from(Array.from({ length: 900 }, (_, i) => (i * 151 + (i >> 3)) % 256)).toString(
      "base64",
    );
    const payloads: [unknown, string, string][] = [
      [{ a: [{ "b/c": blob }] }, "/data_payload/a/0/b~1c", "base64_blob"],
      [{ image: `data:image/png;base64,${blob}` }, "/data_payload/image", "base64_blob"],
      [{ text: "word ".repeat(14_000) }, "/data_payload/text", "string_too_long"],
      [{ n: Number.NaN }, "/data_payload/n", "number_not_finite"],
      [{ when: new Date(0) }, "/data_payload/when", "not_json"],
      [{ list: [undefined] }, "/data_payload/list/0", "not_json"],
      [{ big: 1n }, "/data_payload/big", "not_json"],
      [{ call: () => 1 }, "/data_payload/call", "not_json"],
      [JSON.parse('{"__proto__":1}'), "/data_payload/__proto__", "prototype_key"],
    ];
    for (const [payload, path, bound] of payloads) {
      const thrown = thrownBy(() => sealFirst(firstEnvelope({ payload })));
      expect(thrown).toBeInstanceOf(JsonBoundError);
      expect(thrown).toMatchObject({ bound, paths: [path] });
    }
  });

  it("refuses a value that holds itself", () => {
    const payload: Record<string, unknown> = {};
    payload["self"] = payload;
    expect(() => sealFirst(firstEnvelope({ payload }))).toThrow(JsonBoundError);
  });

  it("packs above 100 KiB and refuses above 1 MiB", () => {
    const texts = (count: number): string[] =>
      Array.from({ length: count }, (_, i) => `line ${i} `.repeat(1000));
    expect(sealFirst(firstEnvelope({ payload: texts(8) })).message.encoding).toBeUndefined();
    expect(sealFirst(firstEnvelope({ payload: texts(15) })).message.encoding).toBe("gzip");
    expect(() => sealFirst(firstEnvelope({ payload: texts(130) }))).toThrow(EnvelopeTooLargeError);
  });

  it("never puts payload text into an error", () => {
    const thrown = thrownBy(() =>
      sealFirst(firstEnvelope({ payload: { secret: "hunter2 ".repeat(10_000) } })),
    );
    expect(JSON.stringify([String(thrown), thrown])).not.toContain("hunter2");
  });
});

function signAsGzip(sealed: string, id: string): SealedMessage {
  // The signature of these bytes with the encoding named: a sender that holds the key can make it.
  const value = signParts(edgeKey, {
    queue: "triage",
    jobId: id,
    encoding: "gzip",
    sealedDigest: digestOf(sealed),
  });
  return {
    sealed,
    seal: { alg: "HS256", key_id: edgeKey.key_id, value: value ?? "" },
    attempt: 0,
    encoding: "gzip",
  };
}

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
