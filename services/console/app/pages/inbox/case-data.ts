import { useEffect, useState } from "react";
import { $api } from "../../data/api.ts";
import { isAttached } from "../../parts/group-name.tsx";
import { compact } from "./json-lines.ts";
import { ATTACHED_MS } from "./rows.ts";
import type { paths } from "#shared/api/client";

/** A case with its message, its repair and all that was done. */
export type CaseView =
  paths["/v1/ward/cases/{case_id}"]["get"]["responses"][200]["content"]["application/json"];
type Check = paths["/v1/ward/cases/{case_id}/check"]["post"]["responses"][200]["content"]["application/json"];

const TYPED_MS = 250;

/** Reads one case. */
export function useCase(caseId: string) {
  return $api.useQuery(
    "get",
    "/v1/ward/cases/{case_id}",
    { params: { path: { case_id: caseId } } },
    { refetchInterval: isAttached(caseId) ? ATTACHED_MS : false },
  );
}

/** What a release with an edited value would meet. */
export interface Verdict {
  readonly check: Check | null;
  /** Why it cannot be released as it stands; undefined: it can. */
  readonly blocked: string | undefined;
}

/** Has the server judge an edited value, once somebody stops typing. @param text - Null: nothing is edited. */
export function useVerdict(caseId: string, text: string | null): Verdict {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), TYPED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error } = $api.useQuery(
    "post",
    "/v1/ward/cases/{case_id}/check",
    { params: { path: { case_id: caseId } }, body: { payload_text: compact(settled ?? "") } },
    // Each is a copy of what a customer wrote: none is kept.
    { enabled: settled !== null, gcTime: 0, placeholderData: (before) => before, retry: false },
  );
  const check = data ?? null;
  if (text === null) return { check: null, blocked: undefined };
  if (settled !== text || (check === null && error === null)) return { check, blocked: "Checking…" };
  const problem: unknown = error;
  if (problem !== null)
    return { check: null, blocked: problem instanceof Error ? problem.message : "It could not be checked." };
  if (check?.acceptable === true) return { check, blocked: undefined };
  const count = check?.issues.length ?? 0;
  return { check, blocked: count === 1 ? "1 thing stands against it." : `${count} things stand against it.` };
}
