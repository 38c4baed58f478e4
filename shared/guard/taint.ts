/**
 * Where text from outside is in a payload: labels by JSON pointer. A place has the labels of the longest pointer that
 * leads to it; `[]` says that it has none. `{ "": ["customer"], "/order_id": [] }`: all is the customer's but the
 * order.
 */
export type Taint = Readonly<Record<string, readonly string[]>>;

/** Field of a conversation's `metadata`. */
export const TAINT_FIELD = "taint";

/** Label for suspected prompt injections that are flagged and not stopped. */
export const INJECTION_LABEL = "injection_suspected";

/** Given to everything where what should say it cannot be read. */
export const UNREADABLE_LABEL = "unreadable";

/** The labels that came with a message; null where none did. */
export function readTaint(metadata: Readonly<Record<string, unknown>>): Taint | null {
  const found = metadata[TAINT_FIELD];
  if (found === undefined) return null;
  if (typeof found !== "object" || found === null || Array.isArray(found)) return { "": [UNREADABLE_LABEL] };
  const entries = Object.entries(found);
  const isSound = entries.length <= TAINT_PLACES_MAX && entries.every(([, labels]) => isListOfTexts(labels));
  return isSound ? Object.fromEntries(entries) : { "": [UNREADABLE_LABEL] };
}

/** Maximum number of places that one message names; its author declares few. */
export const TAINT_PLACES_MAX = 256;

function isListOfTexts(labels: unknown): boolean {
  return Array.isArray(labels) && labels.every((label) => typeof label === "string");
}

/** The labels of one place of a payload, by the longest pointer that leads there; for "" those of all of it. */
export function labelsAt(taint: Taint, pointer: string): readonly string[] {
  if (pointer === "") return labelsOf(taint);
  const within = Object.keys(taint).filter((place) => place.startsWith(`${pointer}/`));
  const above = Object.keys(taint)
    .filter((place) => place === "" || pointer === place || pointer.startsWith(`${place}/`))
    .reduce((longest, place) => (place.length >= longest.length ? place : longest), "");
  return [...new Set([above, ...within].flatMap((place) => taint[place] ?? []))];
}

/** Returns all labels of a payload. */
export function labelsOf(taint: Taint): readonly string[] {
  return [...new Set(Object.values(taint).flat())];
}

/** Merges the message's labels with those that its receiver declares. */
export function joinTaint(came: Taint | null, declared: Readonly<Record<string, string>>): Taint {
  const joined: Record<string, readonly string[]> = { ...came };
  for (const [pointer, label] of Object.entries(declared)) {
    const places = [pointer, ...Object.keys(joined).filter((place) => place.startsWith(`${pointer}/`))];
    for (const place of new Set(places)) {
      joined[place] = [
        ...new Set([...(joined[place] ?? (came === null ? [] : labelsAt(came, place))), label]),
      ];
    }
  }
  return joined;
}

/**
 * Returns the taint of a derived payload: every label everywhere, except where its author declares the words clean.
 * Null for no labels.
 */
export function carryTaint(labels: readonly string[], clean: readonly string[]): Taint | null {
  if (labels.length === 0) return null;
  return Object.fromEntries([
    ["", [...labels]],
    ...clean.map((pointer): [string, string[]] => [pointer, []]),
  ]);
}
