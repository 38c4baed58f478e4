import { readJson } from "#shared/json";

/** The last instant of a Date, in ms since the epoch; larger numbers are invalid. */
const NUMBER_MAX = 8.64e15;

/** Reads a record's text fields, and collects those that cannot be read: damage stays in its field. */
export class FieldReader {
  readonly unreadable: string[] = [];
  private readonly fields: Readonly<Record<string, string>>;

  constructor(fields: Readonly<Record<string, string>>) {
    this.fields = fields;
  }

  /** Returns a finite number; 0 for an absent or unreadable field. */
  number(name: string): number {
    return this.numberOrNull(name) ?? 0;
  }

  numberOrNull(name: string): number | null {
    const text = this.fields[name];
    if (text === undefined) return null;
    const value = Number(text);
    if (text.trim() !== "" && Math.abs(value) <= NUMBER_MAX) return value;
    this.unreadable.push(name);
    return null;
  }

  /** Returns one of a closed list of words; `fallback` for an absent or unreadable field. */
  oneOf<Word extends string>(name: string, words: readonly Word[], fallback: Word): Word {
    const found = words.find((word) => word === this.fields[name]);
    if (found === undefined && this.fields[name] !== undefined) this.unreadable.push(name);
    return found ?? fallback;
  }

  /** Returns a field's JSON; null for an absent field, and for one that `isSound` does not accept. */
  json(name: string, isSound: (value: unknown) => boolean = () => true): unknown {
    const text = this.fields[name];
    if (text === undefined) return null;
    const value = readJson(text);
    if (value !== undefined && isSound(value)) return value;
    this.unreadable.push(name);
    return null;
  }
}

/** Returns true for a JSON object that has a string under each of these names. */
export function isObjectWith(value: unknown, ...names: readonly string[]): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const texts = new Map<string, unknown>(Object.entries(value));
  return names.every((name) => typeof texts.get(name) === "string");
}

/** Converts names and values in turn, as Redis lists the fields of a hash or a stream's entry, to a record. */
export function toFields(flat: readonly string[]): Record<string, string> {
  return Object.fromEntries(flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ""]] : [])));
}
