import type { Store } from "#shared/store";
import { findCases, getCase } from "#shared/ward";
import type { CaseDetail } from "#shared/ward";
import type { ProcedureName } from "#shared/ward/moves";

/** Who healed a case, in the words of the summary. */
export const HEALERS = ["recipe", "first_aid", "model", "person"] as const;

export type Healer = (typeof HEALERS)[number];

const HEALER_OF: Readonly<Partial<Record<ProcedureName, Healer>>> = {
  recipe: "recipe",
  first_aid: "first_aid",
  strong_model: "model",
  person: "person",
};

const PAGE = 200;

/** Every case of the ward with all that was done to it. */
export async function listCases(store: Store): Promise<CaseDetail[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof findCases>> = await findCases(store, {
      filter: {},
      cursor,
      limit: PAGE,
    });
    ids.push(...page.cases.map(({ case_id }) => case_id));
    cursor = page.cursor;
  } while (cursor !== null);
  return Promise.all(ids.map((id) => getCase(store, id)));
}

/** Returns what healed a case last; null: nothing yet, or it died again since. */
export function healerOf({ status, history }: CaseDetail): Healer | null {
  if (status !== "discharged" && status !== "released") return null;
  const healed = history.flatMap(({ attempts }) => attempts).findLast(({ outcome }) => outcome === "healed");
  return healed === undefined ? null : (HEALER_OF[healed.procedure] ?? null);
}

/** Returns whether a case waits for a person because a proposed value was invented. */
export function waitsForInvented({ status, history }: CaseDetail): boolean {
  const objections = history.flatMap(({ attempts }) => attempts).flatMap((attempt) => attempt.objections);
  return status === "quarantined" && objections.some(({ code }) => code === "invented");
}
