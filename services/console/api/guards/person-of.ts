/** The name of the API key that a launcher makes for its own machine, and of whoever comes with its login link. */
export const LOCAL_NAME = "local";

/**
 * Who is behind an API key, so that two keys of one person count as one person.
 *
 * @param key - The key's name; null for a login link.
 * @param people - Persons by the names of their further keys.
 * @returns null where anybody may be: behind a login link, or the key that lies on the machine.
 */
export function personOf(key: string | null, people: ReadonlyMap<string, string>): string | null {
  return key === null || key === LOCAL_NAME ? null : (people.get(key) ?? key);
}
