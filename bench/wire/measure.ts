import { gunzipSync, gzipSync } from "node:zlib";
import { createFirst } from "#shared/envelope";
import { issueKeyring } from "#shared/envelope/keys";
import { seal } from "#shared/envelope/seals";
import { decodeCarried, encodeCarried, routingOf } from "#shared/wire";
import type { CarriedMessage } from "#shared/wire";
import { quantile } from "../quantile.ts";

/** The forms that are compared. `json` is the peer: what a queue holds. */
export const FORMS = ["json", "json_gzip", "protobuf"] as const;

export type FormName = (typeof FORMS)[number];

interface Form {
  readonly encode: (carried: CarriedMessage) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => unknown;
}

export const WIRE_SETTINGS = {
  /** Of the payload, in bytes. */
  sizes: [512, 2048, 20_480, 204_800],
  /** Each round times every form once for every size, who begins changes; the median counts. */
  rounds: 25,
  /** What one timing takes at least, in ms. */
  sliceMs: 20,
};

export type WireSettings = Readonly<typeof WIRE_SETTINGS>;

export const QUICK_WIRE_SETTINGS: WireSettings = { ...WIRE_SETTINGS, rounds: 3, sliceMs: 5 };

export interface WireFigures {
  readonly bytes: number;
  /** Microseconds for one message. */
  readonly encode_us: number;
  readonly decode_us: number;
}

export interface WireRow {
  readonly payload_bytes: number;
  /** Whether so large a message is stored as gzip already. */
  readonly is_stored_packed: boolean;
  readonly forms: Readonly<Record<FormName, WireFigures>>;
}

const MASTER = Buffer.alloc(32, 7).toString("base64url");
const EDGES = [{ from: "gateway", to: "refunds" }];
const WORDS =
  "the order came broken and I would like my money back please since it was a present for her birthday which is on".split(
    " ",
  );
const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/** Text as people and models write it: neither random, which nothing packs, nor one word, which everything does. */
function payloadOf(bytes: number): { readonly lines: readonly string[] } {
  const lines: string[] = [];
  let length = 0;
  for (let n = 0; length < bytes; n += 1) {
    const words = Array.from(
      { length: 12 },
      (_, at) => WORDS[(n * 7 + at * (3 + (n % 5))) % WORDS.length] ?? "",
    );
    const line = `${n} ${words.join(" ")}`.slice(0, Math.max(0, bytes - length - 3));
    lines.push(line);
    length += line.length + 3;
  }
  return { lines };
}

function carriedOf(bytes: number): CarriedMessage {
  const key = issueKeyring({ master: MASTER, agent: "gateway", edges: EDGES }).signing("gateway", "refunds");
  const envelope = createFirst({
    to: "refunds@1",
    contract: "refunds.request@1",
    payload: payloadOf(bytes),
    traceparent: TRACEPARENT,
    runId: "019a0000-0000-7000-8000-000000000001",
  });
  const { message } = seal({ envelope, queue: "refunds", key });
  return { sealed: message, routing: routingOf(envelope), home: "eu", firstSentMs: 1_767_225_600_000 };
}

const CODECS: Readonly<Record<FormName, Form>> = {
  json: {
    encode: (carried) => Buffer.from(JSON.stringify(carried)),
    decode: (bytes) => JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()),
  },
  json_gzip: {
    encode: (carried) => gzipSync(JSON.stringify(carried)),
    decode: (bytes) => JSON.parse(gunzipSync(bytes).toString()),
  },
  protobuf: { encode: encodeCarried, decode: decodeCarried },
};

/** Microseconds of one call, over as many as fit into the slice. */
function timed(call: () => unknown, sliceMs: number): number {
  const start = performance.now();
  let calls = 0;
  let elapsedMs = 0;
  for (; elapsedMs < sliceMs; elapsedMs = performance.now() - start) {
    call();
    calls += 1;
  }
  return (elapsedMs * 1000) / calls;
}

/** The same sealed messages in every form, with the same fields beside them, and each form's answer looked at first. */
export function measureWire(
  { sizes, rounds, sliceMs }: WireSettings,
  say: (line: string) => void,
): WireRow[] {
  return sizes.map((size) => {
    say(`${size} bytes`);
    const carried = carriedOf(size);
    const times = new Map(FORMS.map((form) => [form, { encode: [] as number[], decode: [] as number[] }]));
    const encoded = new Map(FORMS.map((form) => [form, CODECS[form].encode(carried)]));
    for (let round = 0; round < rounds; round += 1) {
      const order = round % 2 === 0 ? FORMS : FORMS.toReversed();
      for (const form of order) {
        const bytes = encoded.get(form) ?? new Uint8Array();
        times.get(form)?.encode.push(timed(() => CODECS[form].encode(carried), sliceMs));
        times.get(form)?.decode.push(timed(() => CODECS[form].decode(bytes), sliceMs));
      }
    }
    const figures = (form: FormName): WireFigures => ({
      bytes: encoded.get(form)?.length ?? 0,
      encode_us: quantile(times.get(form)?.encode ?? [], 0.5),
      decode_us: quantile(times.get(form)?.decode ?? [], 0.5),
    });
    return {
      payload_bytes: size,
      is_stored_packed: carried.sealed.encoding === "gzip",
      forms: { json: figures("json"), json_gzip: figures("json_gzip"), protobuf: figures("protobuf") },
    };
  });
}
