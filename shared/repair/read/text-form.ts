/** A wrapper that programs put around a text. */
export interface TextForm {
  readonly step: string;
  readonly cost: number;
  /** Removes the wrapper; undefined when there is none. */
  readonly strip: (text: string) => string | undefined;
}
