import { findGroupViews } from "../../ward/group-views.ts";
import type { Handler } from "../operation.ts";

/**
 * Groups of cases with one fingerprint that meet every filter; by default the one that a message came to last first.
 */
export const listGroups: Handler<"listGroups"> = ({ console, query: { sort, limit, offset, ...filter } }) => {
  return findGroupViews(console, { sort, filter, limit, offset });
};
