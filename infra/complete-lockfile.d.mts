/** What of a package-lock.json is looked at. */
export interface Lockfile {
  readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Completes a lockfile by optional packages. `added`: the new ones; `open`: of unknown version or platform. */
export function completeLockfile(lockfile: Lockfile): {
  readonly lockfile: Lockfile;
  readonly added: readonly string[];
  readonly open: readonly string[];
};
