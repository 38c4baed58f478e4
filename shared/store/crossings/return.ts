/**
 * One thing that was told to a guest's record: the arguments of the script that told it, in their order, as
 * `toChange` reads them. Opaque to who carries it.
 */
export interface Return {
  /** Of the stream's entry. */
  readonly id: string;
  readonly run_id: string;
  readonly change: readonly string[];
}

/** An entry of the stream, as apply-to-runs.lua writes it: a flat list of names and values. */
export function toReturn(id: string, fields: readonly string[]): Return {
  const value = (name: string): string => fields[fields.indexOf(name) + 1] ?? "";
  // Written by our own script as a list of texts.
  return { id, run_id: value("run_id"), change: JSON.parse(value("change")) as string[] };
}
