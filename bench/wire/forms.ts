import { gunzipSync, gzipSync } from "node:zlib";
import { Packr } from "msgpackr";
import protobuf from "protobufjs";
import { parse, stringify } from "yaml";
import type { Form } from "./time-forms.ts";

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();

export const jsonForm: Form<object> = {
  encode: (value) => Buffer.from(JSON.stringify(value)),
  decode: (bytes) => JSON.parse(textOf(bytes)),
};

export const packedJsonForm: Form<object> = {
  encode: (value) => gzipSync(JSON.stringify(value)),
  decode: (bytes) => JSON.parse(gunzipSync(bytes).toString()),
};

// Without records: each message says its names itself, as it has to between processes that share nothing.
const packr = new Packr({ useRecords: false });

export const msgpackForm: Form<object> = {
  encode: (value) => packr.pack(value),
  decode: (bytes) => packr.unpack(bytes),
};

export const yamlForm: Form<object> = {
  encode: (value) => Buffer.from(stringify(value)),
  decode: (bytes) => parse(textOf(bytes)),
};

/**
 * Protobuf with a field for every value, by a schema made from the value's own shape, as a contract's would be. Nulls
 * are left out; numbers are doubles.
 */
export function fieldsForm(sample: object): Form<object> {
  const type = typeOf("Sample", sample);
  new protobuf.Root().add(type);
  return {
    encode: (value) => type.encode(value).finish(),
    decode: (bytes) => type.toObject(type.decode(bytes)),
  };
}

function typeOf(name: string, sample: object): protobuf.Type {
  const type = new protobuf.Type(name);
  let id = 0;
  for (const [key, value] of Object.entries(sample)) {
    const one: unknown = Array.isArray(value) ? value[0] : value;
    if (one === null || one === undefined) continue;
    id += 1;
    const rule = Array.isArray(value) ? "repeated" : "optional";
    if (typeof one !== "object") {
      type.add(new protobuf.Field(key, id, SCALARS[typeof one] ?? "string", rule));
      continue;
    }
    const nested = typeOf(`${name}${id}`, one);
    type.add(nested).add(new protobuf.Field(key, id, nested.name, rule));
  }
  return type;
}

const SCALARS: Readonly<Record<string, string>> = { string: "string", number: "double", boolean: "bool" };
