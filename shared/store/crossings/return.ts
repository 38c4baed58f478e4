/**
 * A recorded change of a guest's run: the script arguments in order, as `readChange` parses them. Opaque to the
 * bridge.
 */
export interface Return {
  /** Id of the stream entry. */
  readonly id: string;
  readonly run_id: string;
  readonly change: readonly string[];
}

/** Parses a stream entry of apply-to-runs.lua: a flat list of names and values. */
export function toReturn(id: string, fields: readonly string[]): Return {
  const value = (name: string): string => fields[fields.indexOf(name) + 1] ?? "";
  // Our own script writes it as a list of strings.
  return { id, run_id: value("run_id"), change: JSON.parse(value("change")) as string[] };
}
