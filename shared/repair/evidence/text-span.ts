/** A range of a text, in UTF-16 units; the end is exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}
