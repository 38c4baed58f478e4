/** A value that every language of the set can write. */
export type Value = number | string | boolean | readonly number[] | readonly string[];

/** Arguments and the result that is right. */
export type Example = readonly [args: readonly Value[], wanted: Value];

/** One function with a bug, in several languages. */
export interface Spec {
  readonly name: string;
  readonly kind: string;
  /** What somebody who met the bug would write. */
  readonly report: string;
  /** Code by language; `«right¦wrong»` marks the bug. */
  readonly code: { readonly js: string; readonly py: string; readonly go: string };
  /** Tests that pin the function down; at least one of them shows the bug. */
  readonly strong: readonly Example[];
  /** Tests that show the bug and let wrong fixes through. */
  readonly weak: readonly Example[];
  /** Tests that are green with the bug. */
  readonly green: readonly Example[];
  /** Tests that the team never sees. */
  readonly hidden: readonly Example[];
}
