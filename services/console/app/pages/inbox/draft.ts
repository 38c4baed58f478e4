import { useSyncExternalStore } from "react";

/** What somebody has begun to decide. */
interface Draft {
  /** Name of the action whose form is open; null: none. */
  readonly action: string | null;
  readonly why: string;
  /** Edited value, as JSON text. */
  readonly text?: string;
  /** Version that was on the page when the form was opened. */
  readonly version: number;
}

/** By case or group: kept while this tab lives, and on no disk, because it holds what customers wrote. */
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The draft of one case or group. It outlives news, a walk through the list, and a session that ends. */
export function useDraft(id: string): [Draft | null, (next: Draft | null) => void] {
  const draft = useSyncExternalStore(subscribe, () => drafts.get(id) ?? null);
  return [
    draft,
    (next) => {
      if (next === null) drafts.delete(id);
      else drafts.set(id, next);
      for (const listener of listeners) listener();
    },
  ];
}
