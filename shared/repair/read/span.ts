import type { RefusalCode } from "../first-aid-result.ts";
import type { SyntaxStep } from "./reader.ts";
import type { Tree } from "./tree.ts";

/** A value within a text, with its offsets. */
export interface Span {
  readonly tree: Tree;
  readonly steps: readonly SyntaxStep[];
  readonly start: number;
  readonly end: number;
  readonly fenced: boolean;
  /** Other readings of the same range. */
  readonly others?: readonly Span[];
}

export type Attempt =
  | { readonly span: Span; readonly code?: undefined }
  | { readonly span?: undefined; readonly code: RefusalCode };

export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly fenced: boolean;
  /** True when the range must contain nothing but the value. */
  readonly all: boolean;
}
