import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import { carriedId, homeId } from "./judge-news.ts";

/**
 * What a peer told of a run, as the run's record at home has it: under ids of that peer's own, so that no event of ours
 * is taken for one of theirs, and with every message that it holds or brings into the world `away`. Pure.
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
    // Below all that is told of it afterwards: if it is on its way here, its arrival counts.
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

/** What is in a ward over there stays in the ward, of a rank that no case here has. */
function movesElsewhere({ state, rank }: Moves): Moves {
  if (state === "open") return { state: "away", rank };
  const isOfWard = rank >= rankOf.ward(0) && rank < rankOf.wardElsewhere(0);
  return { state, rank: isOfWard ? rankOf.wardElsewhere(rank) : rank };
}
