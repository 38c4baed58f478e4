/** A script's reply: Redis turns Lua numbers into integers, tables into arrays, false into null. */
export type ScriptReply = string | number | null | ScriptReply[];

/** Parses a reply; undefined if it has another form. */
export type ReplyReader<T> = (reply: ScriptReply) => T | undefined;

export type ReadBy<Reader> = Reader extends ReplyReader<infer T> ? T : never;

/** For a script without a meaningful reply. */
export const nothing: ReplyReader<null> = () => null;

export const text: ReplyReader<string> = (reply) => (typeof reply === "string" ? reply : undefined);

/** A number, or a text of digits, as Redis keeps numbers. */
export const number: ReplyReader<number> = (reply) => {
  const value = typeof reply === "string" && reply !== "" ? Number(reply) : reply;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};

/** 1 or "1" is true; 0, "0" and nil are false. */
export const flag: ReplyReader<boolean> = (reply) => {
  if (reply === 1 || reply === "1") return true;
  return reply === 0 || reply === "0" || reply === null ? false : undefined;
};

/** Nil is null. */
export function orNull<T>(read: ReplyReader<T>): ReplyReader<T | null> {
  return (reply) => (reply === null ? null : read(reply));
}

export function oneOf<const Word extends string>(words: readonly Word[]): ReplyReader<Word> {
  return (reply) => words.find((word) => word === reply);
}

export function listOf<T>(read: ReplyReader<T>): ReplyReader<readonly T[]> {
  return (reply) => {
    if (!Array.isArray(reply)) return undefined;
    const items: T[] = [];
    for (const item of reply) {
      const value = read(item);
      if (value === undefined) return undefined;
      items.push(value);
    }
    return items;
  };
}

interface Readers {
  readonly [name: string]: ReplyReader<unknown>;
}

type Read<R> = { readonly [Name in keyof R]: ReadBy<R[Name]> };

/** A table with these values, in this order. What is not there is nil. */
export function record<R extends Readers>(readers: R): ReplyReader<Read<R>> {
  const readValues = valuesReader(readers, 0);
  return (reply) => (Array.isArray(reply) ? readValues(reply, {}) : undefined);
}

/** A table whose first value names the variant of the rest. */
export function variants<V extends Readonly<Record<string, Readers>>>(kinds: V): ReplyReader<Variant<V>> {
  const readerOf = new Map(Object.entries(kinds).map(([kind, readers]) => [kind, valuesReader(readers, 1)]));
  return (reply) => {
    if (!Array.isArray(reply)) return undefined;
    const [kind] = reply;
    const readValues = typeof kind === "string" ? readerOf.get(kind) : undefined;
    // The reader of this kind has checked it; TypeScript cannot express the link.
    return readValues?.(reply, { kind }) as Variant<V> | undefined;
  };
}

type Variant<V> = { [Kind in keyof V]: { readonly kind: Kind } & Read<V[Kind]> }[keyof V];

/** Parses values into `values`; undefined if one has another form. */
function valuesReader<R extends Readers>(
  readers: R,
  from: number,
): (reply: readonly ScriptReply[], values: Record<string, unknown>) => Read<R> | undefined {
  const entries = Object.entries(readers);
  return (reply, values) => {
    let at = from;
    for (const [name, read] of entries) {
      const value = read(reply[at] ?? null);
      if (value === undefined) return undefined;
      values[name] = value;
      at += 1;
    }
    // Each name was read by its own reader.
    return values as Read<R>;
  };
}
