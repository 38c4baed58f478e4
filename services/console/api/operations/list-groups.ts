import { z } from "zod";
import { GROUP_LIFECYCLES } from "#shared/store/cases";
import { ATTENTIONS } from "../../ward/attention.ts";
import { findGroupViews, GROUP_SORTS } from "../../ward/group-views.ts";
import { operation } from "../operation.ts";
import { limitQuery, offsetQuery } from "./request-fields.ts";

const filterFields = {
  attention: z.enum(ATTENTIONS).exactOptional(),
  lifecycle: z.enum(GROUP_LIFECYCLES).exactOptional(),
  text: z.string().max(200).exactOptional(),
};

/**
 * Groups of cases with one fingerprint that meet every filter; by default the one that a message came to last first.
 */
export const listGroups = operation({
  id: "listGroups",
  role: "viewer",
  query: z.strictObject({
    ...filterFields,
    sort: z.enum(GROUP_SORTS).default("last_seen"),
    limit: limitQuery,
    offset: offsetQuery,
  }),
  handle({ console, query: { sort, limit, offset, ...filter } }) {
    return findGroupViews(console, { sort, filter, limit, offset });
  },
});
