import { isAscii, isUtf8 } from "node:buffer";
import { WireMalformedError } from "./errors.ts";
import { WireReader } from "./wire-reader.ts";

/** How one field is written: text and bytes with their length before them, a whole number as a varint. */
export interface FieldSpec {
  readonly number: number;
  readonly kind: "string" | "bytes" | "uint";
}

type Specs = Readonly<Record<string, FieldSpec>>;

interface ValueOf {
  readonly string: string;
  readonly bytes: Uint8Array;
  readonly uint: number;
}

/** A message without nested or repeated fields. A field that is absent has its kind's empty value. */
export type FlatMessage<Fields extends Specs> = {
  readonly [Name in keyof Fields]?: ValueOf[Fields[Name]["kind"]] | undefined;
};

/** A tag and a length, or a tag and a number: a varint of 5 bytes and one of 8. */
const HEAD_BYTES_MAX = 13;

/** As much of protobuf's wire format as a flat message needs. */
export class FlatCodec<Fields extends Specs> {
  readonly #specs: readonly (FieldSpec & { readonly name: string })[];
  readonly #byNumber: ReadonlyMap<number, FieldSpec & { readonly name: string }>;

  constructor(specs: Fields) {
    this.#specs = Object.entries(specs).map(([name, spec]) => ({ name, ...spec }));
    this.#byNumber = new Map(this.#specs.map((spec) => [spec.number, spec]));
  }

  /**
   * Writes a message, fields in the order of their declaration. Empty values are left out, as proto3 does.
   *
   * @throws {WireMalformedError} A text is not well-formed, or a number is not a safe integer of at least 0.
   */
  encode(message: FlatMessage<Fields>): Buffer {
    let bytesMax = 0;
    for (const { name } of this.#specs) bytesMax += HEAD_BYTES_MAX + bytesOf(message[name]);
    const into = Buffer.allocUnsafe(bytesMax);
    let at = 0;
    for (const { name, number, kind } of this.#specs) {
      const value = message[name];
      if (value === undefined || value === "" || value === 0) continue;
      at = writeVarint(into, at, number * 8 + (kind === "uint" ? 0 : 2));
      if (typeof value === "number") at = writeVarint(into, at, value);
      else if (typeof value === "string") at = writeText(into, at, value);
      else {
        at = writeVarint(into, at, value.length);
        into.set(value, at);
        at += value.length;
      }
    }
    return into.subarray(0, at);
  }

  /**
   * Reads a message. Fields that are not declared are passed over; of a field that comes twice the last counts. Takes
   * time in proportion to the bytes, and believes no length before it has seen that so many bytes are there.
   *
   * @throws {WireMalformedError} Cut off, not UTF-8, a group, or a number beyond what a double can hold.
   */
  decode(bytes: Uint8Array): FlatMessage<Fields> {
    const reader = new WireReader(bytes);
    const message: Record<string, string | number | Uint8Array> = {};
    while (!reader.isAtEnd) {
      const { number, type } = reader.tag();
      const spec = this.#byNumber.get(number);
      if (spec === undefined) reader.pass(type);
      else if (type !== (spec.kind === "uint" ? 0 : 2))
        throw new WireMalformedError(`field ${number} is of another type`);
      else if (spec.kind === "uint") message[spec.name] = reader.varint();
      else message[spec.name] = spec.kind === "bytes" ? reader.bytes() : decodeText(reader.bytes());
    }
    // Each value was read as its own field's kind.
    return message as FlatMessage<Fields>;
  }
}

function bytesOf(value: string | number | Uint8Array | undefined): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  return typeof value === "object" ? value.length : 0;
}

/** @throws {WireMalformedError} A lone surrogate: it would be read as another text. */
function writeText(into: Buffer, at: number, text: string): number {
  if (!text.isWellFormed()) throw new WireMalformedError("a text is not well-formed");
  const behind = writeVarint(into, at, Buffer.byteLength(text));
  return behind + into.write(text, behind);
}

function writeVarint(into: Buffer, at: number, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new WireMalformedError("a number is out of range");
  let place = at;
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) place = into.writeUInt8((rest % 128) + 128, place);
  return into.writeUInt8(rest, place);
}

function decodeText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // Nearly all text is, and is read several times faster as such.
  if (isAscii(buffer)) return buffer.toString("latin1");
  if (!isUtf8(buffer)) throw new WireMalformedError("a text is not UTF-8");
  return buffer.toString();
}
