import { createFirst } from "#shared/envelope";
import { issueKeyring } from "#shared/envelope/keys";
import { seal } from "#shared/envelope/seals";
import type { Envelope } from "#shared/envelope";
import { decodeCarried, encodeCarried, routingOf } from "#shared/wire";
import type { CarriedMessage } from "#shared/wire";
import { fieldsForm, jsonForm, msgpackForm, packedJsonForm, yamlForm } from "./forms.ts";
import { timeForms } from "./time-forms.ts";
import type { FormFigures } from "./time-forms.ts";

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

export interface WireRow {
  readonly payload_bytes: number;
  /** Whether so large a message is stored as gzip already. */
  readonly is_stored_packed: boolean;
  /** The sealed message between clusters. `json` is the peer: what a queue holds. */
  readonly sealed: Readonly<Record<string, FormFigures>>;
  /** The open envelope, every value of it in the form. */
  readonly open: Readonly<Record<string, FormFigures>>;
}

export interface WireReport {
  readonly rows: readonly WireRow[];
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

function envelopeOf(bytes: number): Envelope {
  return createFirst({
    to: "refunds@1",
    contract: "refunds.request@1",
    payload: payloadOf(bytes),
    traceparent: TRACEPARENT,
    runId: "019a0000-0000-7000-8000-000000000001",
  });
}

function carriedOf(envelope: Envelope): CarriedMessage {
  const key = issueKeyring({ master: MASTER, agent: "gateway", edges: EDGES }).signing("gateway", "refunds");
  const { message } = seal({ envelope, queue: "refunds", key });
  return { sealed: message, routing: routingOf(envelope), home: "eu", firstSentMs: 1_767_225_600_000 };
}

/**
 * Times the same messages in every form, by size: sealed, as they cross between clusters, and open, to show what a
 * form makes of the values themselves.
 */
export function measureWire(settings: WireSettings, say: (line: string) => void): WireRow[] {
  return settings.sizes.map((size) => {
    say(`${size} bytes`);
    const envelope = envelopeOf(size);
    const carried = carriedOf(envelope);
    const sealedForms = {
      json: jsonForm,
      json_gzip: packedJsonForm,
      protobuf: { encode: encodeCarried, decode: decodeCarried },
    };
    const openForms = {
      json: jsonForm,
      json_gzip: packedJsonForm,
      protobuf_fields: fieldsForm(envelope),
      msgpack: msgpackForm,
      yaml: yamlForm,
    };
    return {
      payload_bytes: size,
      is_stored_packed: carried.sealed.encoding === "gzip",
      sealed: timeForms(sealedForms, carried, settings),
      open: timeForms(openForms, envelope, settings),
    };
  });
}
