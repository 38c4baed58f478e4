import type { RefusalCode } from "../first-aid-result.ts";
import type { SyntaxStep } from "./reader.ts";
import type { Tree } from "./tree.ts";

/** A value found in a text, with the place where it stands. */
export interface Span {
  readonly tree: Tree;
  readonly steps: readonly SyntaxStep[];
  readonly start: number;
  readonly end: number;
  readonly fenced: boolean;
  readonly label: "final" | "example" | "none";
  /** What else the same stretch of text may say, dearer or not. */
  readonly others?: readonly Span[];
}

export type Attempt =
  | { readonly span: Span; readonly code?: undefined }
  | { readonly span?: undefined; readonly code: RefusalCode };

export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly fenced: boolean;
  readonly label: "final" | "example" | "none";
  /** Whether nothing but the value may stand there. */
  readonly all: boolean;
}
