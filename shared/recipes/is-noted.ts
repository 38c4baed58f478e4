import type { Change } from "./change.ts";

/** Whether the repair noted a step of this name at a place. */
export function isNoted(
  { ground }: Change,
  { path, step }: { readonly path: string; readonly step: string },
): boolean {
  return ground.notes.get(path)?.some((note) => note.step === step) === true;
}
