import { z } from "zod";
import { FAILURE_CLASSES } from "#shared/errors";
import { CASE_STATUSES } from "#shared/store";
import { findCases } from "#shared/ward";
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
  handle({ console, query }) {
    const { cursor = null, limit, ...filter } = query;
    return findCases(console.store, { filter, cursor, limit });
  },
});
