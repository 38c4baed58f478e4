import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import { carriedId, homeId } from "./judge-news.ts";

/**
 * Translates a peer's change for the run's record at home: prefixes event ids with the peer's name, so that they
 * cannot collide with ours, and marks every message that is open there as `away`. Pure.
 */
export function toHomeChanges(change: RunChange, cluster: string): RunChange[] {
  const { event, moves, opens = [] } = change;
  const elsewhere = opens.map((opened): RunChange => ({
    event: {
      id: carriedId(cluster, opened.message_id),
      run_id: event.run_id,
      type: "carried",
      at: event.at,
      message_id: opened.message_id,
      agent: opened.agent,
      detail: { cluster },
    },
    // The lowest rank, so that any later report, or the message's arrival here, overrides it.
    moves: { state: "away", rank: 0 },
    ...(opened.branch === undefined ? {} : { branch: opened.branch }),
  }));
  return [
    ...elsewhere,
    {
      ...change,
      event: { ...event, id: homeId(cluster, change), detail: { ...event.detail, cluster } },
      ...(moves === undefined ? {} : { moves: movesElsewhere(moves) }),
    },
  ];
}

type Moves = NonNullable<RunChange["moves"]>;

/** Keeps a ward state a ward state, with a rank that no case of this cluster has. */
function movesElsewhere({ state, rank }: Moves): Moves {
  if (state === "open") return { state: "away", rank };
  const isOfWard = rank >= rankOf.ward(0) && rank < rankOf.wardElsewhere(0);
  return { state, rank: isOfWard ? rankOf.wardElsewhere(rank) : rank };
}
