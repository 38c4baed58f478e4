import type { KeyHolder } from "#shared/config";

/** The name of the API key that a launcher makes for its own machine, and of whoever comes with its login link. */
export const LOCAL_NAME = "local";

/**
 * Who is behind an API key, so that two keys of one person count as one person.
 *
 * @param key - Null for a login link.
 * @param people - Persons by the names of their keys.
 * @returns null where anybody may be: behind a login link, the key that lies on the machine, or a key that an admin
 * made and that the configuration gives to nobody, for whoever makes a key can use it.
 */
export function personOf(
  key: Pick<KeyHolder, "name" | "isMade"> | null,
  people: ReadonlyMap<string, string>,
): string | null {
  if (key === null || key.name === LOCAL_NAME) return null;
  return people.get(key.name) ?? (key.isMade === true ? null : key.name);
}
