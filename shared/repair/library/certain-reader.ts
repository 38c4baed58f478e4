import type { JsonSchema } from "#shared/json";
import {
  ANYTHING,
  flatten,
  fromBoolean,
  has,
  itemSchema,
  memberSchema,
  schemaList,
  validateWithin,
} from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";

/** An open list or object. */
interface Level {
  readonly value: JsonValue[] | JsonObject;
  /** Undefined where nothing inside is certain. */
  readonly schema: JsonSchema | undefined;
  /** The name whose value comes next; undefined in a list. */
  key: string | undefined;
  /** Values read so far. More than a list holds where one was left out: the next ones would have another index. */
  count: number;
}

const WORD = /(?:-?\d[\d.eE+-]{0,400}|true|false|null)/y;
/** The beginning of a number or word that may go on. */
const HALF_WORD = /^(?:-?(?:\d[\d.eE+-]{0,400})?|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?)$/;
const BLANKS: ReadonlySet<string> = new Set([" ", "\t", "\r", "\n"]);
/** What may stand before a value that is still certain: blanks and the start of a fence. */
const BEFORE = /^\s*(?:```[a-z0-9]{0,12}[^\S\n]*\n)?\s*/i;
const BEFORE_CHARS_MAX = 200;

/**
 * Reads JSON as it comes in, each character once, and keeps what is certain: texts, numbers and words that are
 * complete, in lists and objects that may go on. Where the text is no JSON it stops, and what was certain stays. With a
 * schema only values that satisfy it as they stand are certain; others may still be repaired, or left out.
 */
export class CertainReader {
  /** The certain value so far; undefined before it has begun. */
  value: JsonValue | undefined;
  /** True from the first character that JSON does not allow there. */
  isBroken = false;
  /** Characters looked at, which are at most some times those of the text. */
  steps = 0;
  private readonly root: JsonSchema;
  private readonly levels: Level[] = [];
  private expected: "begin" | "value" | "first" | "key" | "colon" | "comma" | "nothing" = "begin";
  /** What is not read yet, the offset in it, and how far a text in quotes was looked at. */
  private rest = "";
  private at = 0;
  private lookedTo = 0;

  constructor(schema: JsonSchema = ANYTHING) {
    this.root = schema;
  }

  /** Reads the next part. */
  read(chunk: string): void {
    if (this.expected === "nothing") return;
    this.rest += chunk;
    if (this.expected === "begin" && !this.begin()) return;
    while (this.step());
    this.rest = this.rest.slice(this.at);
    this.lookedTo = Math.max(0, this.lookedTo - this.at);
    this.at = 0;
  }

  private begin(): boolean {
    this.steps += this.rest.length;
    this.at = BEFORE.exec(this.rest)?.[0].length ?? 0;
    const isOpen = this.at >= this.rest.length || this.rest[this.at] === "`";
    if (!isOpen) this.expected = "value";
    else if (this.rest.length > BEFORE_CHARS_MAX) this.break();
    return !isOpen;
  }

  /** Reads one token. @returns False where the text ends before it, or is no JSON, and behind the value. */
  private step(): boolean {
    const { expected } = this;
    if (expected === "nothing") return false;
    while (BLANKS.has(this.rest[this.at] ?? "")) this.move(1);
    const char = this.rest[this.at];
    if (char === undefined) return false;
    if (expected === "colon") return char === ":" ? this.go("value") : this.break();
    if (expected === "comma" && char === ",") return this.go(this.isList() ? "value" : "key");
    const mayClose = expected === "comma" || expected === "first";
    if (mayClose && char === (this.isList() ? "]" : "}")) {
      this.levels.pop();
      return this.go(this.afterValue());
    }
    if (expected === "comma") return this.break();
    const isKey = expected === "key" || (expected === "first" && !this.isList());
    if ((char === "{" || char === "[") && !isKey) return this.open(char);
    const end = char === '"' ? this.endOfText() : this.endOfWord();
    return end === undefined ? false : this.take(this.rest.slice(this.at, end), isKey);
  }

  private move(chars: number): void {
    this.at += chars;
    this.steps += chars;
  }

  /** Moves past one mark. */
  private go(next: CertainReader["expected"]): true {
    this.move(1);
    this.expected = next;
    return true;
  }

  private afterValue(): "comma" | "nothing" {
    return this.levels.length === 0 ? "nothing" : "comma";
  }

  private break(): false {
    this.isBroken = true;
    this.expected = "nothing";
    return false;
  }

  private isList(): boolean {
    return Array.isArray(this.levels.at(-1)?.value);
  }

  /** The end of the quoted text at `at`; undefined while it goes on, or where JSON does not allow a character. */
  private endOfText(): number | undefined {
    let at = Math.max(this.at + 1, this.lookedTo);
    for (; at < this.rest.length; at += 1) {
      const code = this.rest.charCodeAt(at);
      if (code === QUOTE) return at + 1;
      if (code < 0x20) return void this.break();
      if (code === BACKSLASH && at + 1 >= this.rest.length) break;
      if (code === BACKSLASH) at += 1;
      this.steps += 1;
    }
    this.lookedTo = at;
    return undefined;
  }

  private endOfWord(): number | undefined {
    WORD.lastIndex = this.at;
    const word = WORD.exec(this.rest)?.[0] ?? "";
    this.steps += word.length + 1;
    const end = this.at + word.length;
    if (word !== "" && end < this.rest.length) return end;
    // A number at the end of the text may go on; `null` may be the beginning of another word.
    if (!HALF_WORD.test(this.rest.slice(this.at, this.at + 410)) && word === "") this.break();
    return undefined;
  }

  private open(char: "{" | "["): boolean {
    const value: JsonValue[] | JsonObject = char === "[" ? [] : {};
    const schema = this.schemaHere();
    // A value under alternatives, or of another type, may still be read otherwise.
    const isCertain = isOf(schema, char === "[" ? "array" : "object");
    this.put(value, isCertain);
    this.levels.push({ value, schema: isCertain ? schema : undefined, key: undefined, count: 0 });
    return this.go("first");
  }

  private take(raw: string, isKey: boolean): boolean {
    const value = parsed(raw);
    if (value === undefined) return this.break();
    this.move(raw.length);
    this.lookedTo = 0;
    if (isKey) return typeof value === "string" ? this.name(value) : this.break();
    const schema = this.schemaHere();
    this.put(value, schema !== undefined && this.satisfies(value, schema));
    this.expected = this.afterValue();
    return true;
  }

  private name(key: string): boolean {
    const level = this.levels.at(-1);
    if (level === undefined || key === "__proto__" || has(level.value, key)) return this.break();
    level.key = key;
    this.expected = "colon";
    return true;
  }

  /** The schema of the value that comes next; undefined for none, and for a name that a closed object lacks. */
  private schemaHere(): JsonSchema | undefined {
    const level = this.levels.at(-1);
    if (level === undefined) return flatten(this.root, this.root);
    const { schema, key, count } = level;
    if (schema === undefined) return undefined;
    const inner = key === undefined ? itemSchema(schema, count) : memberSchema(schema, key);
    if (inner !== undefined) return flatten(inner, this.root);
    const others = key === undefined ? undefined : schema["additionalProperties"];
    return others === false ? undefined : flatten(fromBoolean(others ?? true), this.root);
  }

  private satisfies(value: JsonValue, schema: JsonSchema): boolean {
    return validateWithin(value, schema, { document: this.root, issuesMax: 1 }).faults.length === 0;
  }

  /** Puts a value where it belongs, if it is certain. */
  private put(value: JsonValue, isCertain: boolean): void {
    const level = this.levels.at(-1);
    if (level !== undefined) level.count += 1;
    if (!isCertain) return;
    if (level === undefined) this.value = value;
    else if (Array.isArray(level.value)) {
      if (level.value.length + 1 === level.count) level.value.push(value);
    } else if (level.key !== undefined) level.value[level.key] = value;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function isOf(schema: JsonSchema | undefined, type: "array" | "object"): boolean {
  if (schema === undefined) return false;
  const alternatives = [...schemaList(schema["anyOf"]), ...schemaList(schema["oneOf"])];
  return alternatives.length === 0 && (schema["type"] ?? type) === type;
}

function parsed(raw: string): JsonValue | undefined {
  try {
    // JSON text parses to JSON.
    const value = JSON.parse(raw) as JsonValue;
    return typeof value === "number" && !Number.isFinite(value) ? undefined : value;
  } catch {
    return undefined;
  }
}
