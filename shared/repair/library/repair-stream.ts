import type { JsonSchema } from "#shared/json";
import { isObject } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { boundsOf } from "../bounds.ts";
import type { FirstAidOptions } from "../first-aid-result.ts";
import { CertainReader } from "./certain-reader.ts";
import { isStandard, jsonSchemaOf, repair } from "./repair.ts";
import type { AnySchema, Repair, StandardSchema } from "./repair.ts";

/** The certain part of a text that is still coming. */
export interface Certain {
  /** Only grows: members and items are added, complete texts and numbers stay. Undefined before anything is certain. */
  readonly value: JsonValue | undefined;
  /** True where the text needs repair: nothing more is certain before its end. */
  readonly isDamaged: boolean;
}

/** A text that comes in parts. */
export interface RepairStream<Value> {
  /** Takes the next part. The work is linear in the text over all parts. */
  push(chunk: string): Certain;
  /** Repairs the whole text. `ambiguous`: a later answer in it contradicts what was certain. */
  end(): Repair<Value>;
}

/** Repairs a text while it comes in. @param schema - As for `repair`. */
export function createRepairStream<Output>(
  schema: StandardSchema<Output>,
  options?: FirstAidOptions,
): RepairStream<Output>;
export function createRepairStream(schema?: JsonSchema, options?: FirstAidOptions): RepairStream<JsonValue>;
export function createRepairStream<Output>(
  schema?: AnySchema<Output>,
  options: FirstAidOptions = {},
): RepairStream<Output | JsonValue> {
  const json = schema && jsonSchemaOf(schema);
  const reader = new CertainReader(json);
  const { charsMax } = boundsOf(options, json, 0);
  const parts: string[] = [];
  let length = 0;
  return {
    push(chunk) {
      // Too long a text is refused at the end, and need not be kept.
      if (length <= charsMax) parts.push(chunk);
      length += chunk.length;
      reader.read(chunk);
      return { value: reader.value, isDamaged: reader.isBroken };
    },
    end() {
      const text = parts.join("");
      const plain = repair(text, json, options);
      if (!plain.ok) return plain;
      if (reader.value !== undefined && !extendsValue(plain.value, reader.value)) {
        const reason = "The text takes back a value that it gave before.";
        return { ok: false, code: "ambiguous", reason, path: "", candidates: [plain.value, reader.value] };
      }
      return schema !== undefined && isStandard(schema) ? repair(text, schema, options) : plain;
    },
  };
}

/**
 * Repairs a text while it comes in: yields what is certain whenever that has grown, and returns the repair of the
 * whole.
 *
 * @param chunks - Texts or UTF-8 bytes: a provider's deltas, a `ReadableStream`, a response's body.
 * @example for await (const { value } of repairStream(deltas, schema)) show(value);
 */
export async function* repairStream<Output>(
  chunks: AsyncIterable<string | Uint8Array>,
  schema?: AnySchema<Output>,
  options: FirstAidOptions = {},
): AsyncGenerator<Certain, Repair<Output | JsonValue>, void> {
  const stream: RepairStream<Output | JsonValue> =
    schema !== undefined && isStandard(schema)
      ? createRepairStream(schema, options)
      : createRepairStream(schema, options);
  const decoder = new TextDecoder();
  let before: string | undefined;
  for await (const chunk of chunks) {
    const certain = stream.push(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }));
    const text = JSON.stringify(certain.value);
    if (text !== before) yield certain;
    before = text;
  }
  return stream.end();
}

/** Returns true when `whole` holds everything that `part` holds, at the same places. */
export function extendsValue(whole: JsonValue | undefined, part: JsonValue): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((item, index) => extendsValue(whole[index], item));
  if (isObject(part))
    return isObject(whole) && Object.entries(part).every(([key, member]) => extendsValue(whole[key], member));
  return whole === part;
}
