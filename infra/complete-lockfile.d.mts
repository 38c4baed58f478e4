/** What of a package-lock.json is looked at. */
export interface Lockfile {
  readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * The lockfile with an entry for every optional package that one of its packages wants at an exact version. `added`
 * names the new ones, `open` those whose version or platform cannot be told.
 */
export function completeLockfile(lockfile: Lockfile): {
  readonly lockfile: Lockfile;
  readonly added: readonly string[];
  readonly open: readonly string[];
};
