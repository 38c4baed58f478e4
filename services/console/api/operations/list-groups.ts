import { findGroupViews } from "../../ward/group-views.ts";
import { hasGroup } from "../guards/confine-to-teams.ts";
import type { Handler } from "../operation.ts";

/**
 * Groups of cases with one fingerprint that meet every filter; by default the one that a message came to last first.
 */
export const listGroups: Handler<"listGroups"> = ({
  console,
  query: { sort, limit, offset, ...filter },
  caller: { teams },
}) => {
  const isOwn = teams === null ? undefined : (fingerprint: string) => hasGroup(console, fingerprint);
  return findGroupViews(console, { sort, filter, isOwn, limit, offset });
};
