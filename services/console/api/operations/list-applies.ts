import { findBatches } from "#shared/ward/batches";
import { hasGroup } from "../guards/confine-to-teams.ts";
import type { Handler } from "../operation.ts";

/** Work on whole groups, the newest first. */
export const listApplies: Handler<"listApplies"> = async ({
  console,
  query: { fingerprint },
  caller: { teams },
}) => {
  const applies = await findBatches(console.store);
  return {
    applies: applies.filter(
      (batch) =>
        (fingerprint === undefined || batch.fingerprint === fingerprint) &&
        (teams === null || hasGroup(console, batch.fingerprint)),
    ),
  };
};
