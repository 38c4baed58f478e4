import { WireMalformedError } from "./errors.ts";

const VARINT = 0;
const FIXED_64 = 1;
const LENGTH = 2;
const FIXED_32 = 5;

const VARINT_BYTES_MAX = 10;
const TAG_MAX = 0xffff_ffff;

/** Reads protobuf's wire format from bytes of any origin. Every step is within the bytes, or a WireMalformedError. */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  tag(): { readonly number: number; readonly type: number } {
    const tag = this.varint();
    if (tag < 8 || tag > TAG_MAX) throw new WireMalformedError("a field has no valid number");
    return { number: Math.floor(tag / 8), type: tag % 8 };
  }

  varint(): number {
    let value = 0;
    for (let place = 0; place < VARINT_BYTES_MAX; place += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new WireMalformedError("it is cut off");
      this.#at += 1;
      value += (byte % 128) * 128 ** place;
      if (value > Number.MAX_SAFE_INTEGER) throw new WireMalformedError("a number is out of range");
      if (byte < 128) return value;
    }
    throw new WireMalformedError("a number is out of range");
  }

  bytes(): Uint8Array {
    return this.#take(this.varint());
  }

  /** Goes past a field that nobody here knows. */
  pass(type: number): void {
    if (type === VARINT) this.#passVarint();
    else if (type === LENGTH) this.bytes();
    else if (type === FIXED_64 || type === FIXED_32) this.#take(type === FIXED_64 ? 8 : 4);
    else throw new WireMalformedError("it holds a group");
  }

  /** Its value may be beyond our range. */
  #passVarint(): void {
    for (let place = 0; place < VARINT_BYTES_MAX; place += 1) if ((this.#take(1)[0] ?? 0) < 128) return;
    throw new WireMalformedError("a number is out of range");
  }

  #take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw new WireMalformedError("it is cut off");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}
