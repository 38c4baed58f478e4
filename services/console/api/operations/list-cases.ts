import { z } from "zod";
import { FAILURE_CLASSES } from "#shared/errors";
import { SENSITIVE_MASK } from "#shared/masking";
import { CASE_STATUSES } from "#shared/store/cases";
import { findCases } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { operation } from "../operation.ts";
import { idField, limitQuery } from "./request-fields.ts";

const filterFields = {
  status: z.enum(CASE_STATUSES).exactOptional(),
  fingerprint: idField.exactOptional(),
  agent: idField.exactOptional(),
  run_id: idField.exactOptional(),
  failure_class: z.enum(FAILURE_CLASSES).exactOptional(),
  text: z.string().max(200).exactOptional(),
};

/** Cases that meet every filter, newest first. */
export const listCases = operation({
  id: "listCases",
  role: "viewer",
  query: z.strictObject({ ...filterFields, cursor: z.string().max(300).exactOptional(), limit: limitQuery }),
  async handle({ console, query }) {
    const { cursor = null, limit, ...filter } = query;
    const found = await findCases(console.store, { filter, cursor, limit });
    return { ...found, cases: found.cases.map(withoutPayloads) };
  },
});

/** What people wrote into a case is shown with the case, where its contract says what of it is sensitive. */
function withoutPayloads(one: WardCase): WardCase {
  const { proposal, decision } = one;
  return {
    ...one,
    proposal: proposal === null ? null : { ...proposal, payload: SENSITIVE_MASK },
    decision: decision?.payload === undefined ? decision : { ...decision, payload: SENSITIVE_MASK },
  };
}
