import type { Change } from "./change.ts";

/** Returns true when the repair has a note of this step at a path. */
export function isNoted(
  { derivation }: Change,
  { path, step }: { readonly path: string; readonly step: string },
): boolean {
  return derivation.notes.get(path)?.some((note) => note.step === step) === true;
}
