import { quantile } from "../quantile.ts";

/** One way to write a value as bytes. */
export interface Form<Value> {
  readonly encode: (value: Value) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => unknown;
}

export interface FormFigures {
  readonly bytes: number;
  /** Microseconds for one message. */
  readonly encode_us: number;
  readonly decode_us: number;
}

export interface FormTiming {
  /** Each round times every form once, who begins changes; the median counts. */
  readonly rounds: number;
  /** Least time of one timing, in ms. */
  readonly sliceMs: number;
}

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

/** Times how long each form takes to write and to read one value, in turns. */
export function timeForms<Value>(
  forms: Readonly<Record<string, Form<Value>>>,
  value: Value,
  { rounds, sliceMs }: FormTiming,
): Record<string, FormFigures> {
  const timings = Object.entries(forms).map(([name, form]) => ({
    name,
    form,
    bytes: form.encode(value),
    encode: [] as number[],
    decode: [] as number[],
  }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { form, bytes, encode, decode } of round % 2 === 0 ? timings : timings.toReversed()) {
      encode.push(timed(() => form.encode(value), sliceMs));
      decode.push(timed(() => form.decode(bytes), sliceMs));
    }
  }
  return Object.fromEntries(
    timings.map(({ name, bytes, encode, decode }) => [
      name,
      { bytes: bytes.length, encode_us: quantile(encode, 0.5), decode_us: quantile(decode, 0.5) },
    ]),
  );
}
