import { isContainer } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import {
  alternativesOf,
  ANYTHING,
  flatten,
  fromBoolean,
  has,
  itemSchema,
  memberSchema,
  validateWithin,
} from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";

/** Text that may stand before a certain value: words without brackets or quotes, and the start of a fence. */
const BEFORE = /^[^[\]{}"'`<]*(?:```[a-z0-9]{0,12}[^\S\n]*\n\s*)?/i;
const BEFORE_CHARS_MAX = 400;
/** Numbers and literals are shorter. */
const WORD_CHARS_MAX = 400;
/** Each part that comes wakes every open list and object. */
const DEPTH_MAX = 128;

/** Waits for the next part where it yields. */
type Waiting<Result> = Generator<undefined, Result, undefined>;

/** Keeps a value that was read, if it is certain. */
type Put = (value: JsonValue, isCertain: boolean) => void;

interface Place {
  readonly put: Put;
  readonly depth: number;
}

/** A character that JSON does not allow there. */
class NoJson extends Error {}

/**
 * Reads JSON as it comes in, once, and keeps what is certain: complete texts, numbers and words. Stops where the text
 * is no JSON. With a schema only values that satisfy it are certain; others may still be repaired.
 */
export class CertainReader {
  /** The certain value so far; undefined before it has begun. */
  value: JsonValue | undefined;
  /** True from the first character that JSON does not allow there. */
  isBroken = false;
  /** Characters looked at, which are at most some times those of the text. */
  steps = 0;
  private readonly root: JsonSchema;
  private readonly reading = this.readRoot();
  /** The text that is not read yet, and the offset in it. */
  private rest = "";
  private at = 0;

  constructor(schema: JsonSchema = ANYTHING) {
    this.root = schema;
  }

  /** Reads the next part. */
  read(chunk: string): void {
    this.rest = this.rest.slice(this.at) + chunk;
    this.at = 0;
    try {
      if (this.reading.next().done === true) this.rest = "";
    } catch (error) {
      if (!(error instanceof NoJson)) throw error;
      this.isBroken = true;
    }
  }

  private *readRoot(): Waiting<void> {
    for (;;) {
      this.steps += this.rest.length;
      this.at = BEFORE.exec(this.rest)?.[0].length ?? 0;
      const char = this.rest[this.at];
      // Other quotes begin something else, and a number or word alone may go on.
      if (char === "{" || char === "[") break;
      if (char !== undefined && char !== "`") throw new NoJson();
      if (this.rest.length > BEFORE_CHARS_MAX) throw new NoJson();
      this.at = 0;
      yield;
    }
    const put: Put = (value, isCertain) => {
      if (isCertain) this.value = value;
    };
    yield* this.readValue(this.flat(this.root), { put, depth: 0 });
  }

  /** Moves to the next character that is not blank, and returns it. */
  private *next(): Waiting<string> {
    for (;;) {
      const char = this.rest[this.at];
      if (char === undefined) yield;
      else if (" \t\r\n".includes(char)) this.at += 1;
      else return char;
      this.steps += 1;
    }
  }

  /** @param schema - Undefined where nothing is certain. */
  private *readValue(schema: JsonSchema | undefined, place: Place): Waiting<void> {
    const char = yield* this.next();
    if (char === "[") yield* this.readList(ofType(schema, "array"), place);
    else if (char === "{") yield* this.readObject(ofType(schema, "object"), place);
    else {
      const value = yield* this.readScalar();
      // Only what follows tells whether a quote ended the text.
      if (!",}]".includes(yield* this.next())) throw new NoJson();
      place.put(value, schema !== undefined && this.satisfies(value, schema));
    }
  }

  private *readList(schema: JsonSchema | undefined, { put, depth }: Place): Waiting<void> {
    const items: JsonValue[] = [];
    put(items, schema !== undefined);
    for (let count = 0; yield* this.goesOn("]", { count, depth }); count += 1) {
      const add: Put = (value, isCertain) => {
        // Behind an item that was left out the next ones would have another index.
        if (isCertain && items.length === count) items.push(value);
      };
      const inner = schema && this.flat(itemSchema(schema, count) ?? ANYTHING);
      yield* this.readValue(inner, { put: add, depth: depth + 1 });
    }
  }

  private *readObject(schema: JsonSchema | undefined, { put, depth }: Place): Waiting<void> {
    const members: JsonObject = {};
    // A comma may still belong to a text: only the next name, or the end, tells.
    let keepLast = (): void => undefined;
    put(members, schema !== undefined);
    for (let count = 0; yield* this.goesOn("}", { count, depth }); count += 1) {
      yield* this.next();
      const name = yield* this.readScalar();
      const colon = yield* this.next();
      if (typeof name !== "string" || name === "__proto__" || has(members, name) || colon !== ":")
        throw new NoJson();
      this.at += 1;
      keepLast();
      const add: Put = (value, isCertain) => {
        keepLast = () => {
          if (isCertain) members[name] = value;
        };
        if (isContainer(value)) keepLast();
      };
      yield* this.readValue(schema && this.schemaOf(name, schema), { put: add, depth: depth + 1 });
    }
    keepLast();
  }

  /** Moves past an opening bracket or a comma; false at the closing bracket, and moves past it. */
  private *goesOn(closer: string, { count, depth }: { count: number; depth: number }): Waiting<boolean> {
    if (depth > DEPTH_MAX) throw new NoJson();
    if (count === 0) this.at += 1;
    const char = yield* this.next();
    if (count > 0 || char === closer) this.at += 1;
    if (count > 0 && char !== "," && char !== closer) throw new NoJson();
    return char !== closer;
  }

  /** Reads a text, number or literal when its end has come: what stands at the end of the text may go on. */
  private *readScalar(): Waiting<JsonValue> {
    let length = 0;
    for (let isText = false; ; this.steps += 1) {
      const char = this.rest[this.at + length];
      if (char === undefined) {
        yield;
        continue;
      }
      if (isText ? char < " " : length > WORD_CHARS_MAX) throw new NoJson();
      if (!isText && char !== '"' && !/[-+.\w]/.test(char)) break;
      // The character behind a backslash is part of the text.
      length += isText && char === "\\" ? 2 : 1;
      if (isText && char === '"') break;
      isText ||= char === '"';
    }
    const raw = this.rest.slice(this.at, this.at + length);
    this.at += length;
    return parsed(raw);
  }

  /** The schema of a member; undefined for a name that a closed object lacks. */
  private schemaOf(name: string, schema: JsonSchema): JsonSchema | undefined {
    const others = schema["additionalProperties"] ?? true;
    const inner = memberSchema(schema, name) ?? (others === false ? undefined : fromBoolean(others));
    return inner && this.flat(inner);
  }

  private flat(schema: JsonSchema): JsonSchema {
    return flatten(schema, this.root);
  }

  private satisfies(value: JsonValue, schema: JsonSchema): boolean {
    return validateWithin(value, schema, { document: this.root, issuesMax: 1 }).faults.length === 0;
  }
}

/** A schema of one type. A value under alternatives, or of another type, may still be read otherwise. */
function ofType(schema: JsonSchema | undefined, type: "array" | "object"): JsonSchema | undefined {
  if (schema === undefined) return undefined;
  return alternativesOf(schema).length === 0 && (schema["type"] ?? type) === type ? schema : undefined;
}

/** @throws {NoJson} */
function parsed(raw: string): JsonValue {
  try {
    // JSON text parses to JSON.
    const value = JSON.parse(raw) as JsonValue;
    if (typeof value !== "number" || Number.isFinite(value)) return value;
  } catch {
    // Below.
  }
  throw new NoJson();
}
