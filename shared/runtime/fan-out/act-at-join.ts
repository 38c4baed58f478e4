import type { Contract } from "#shared/contract";
import { branchOf, joinOf } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import { toFailure } from "#shared/failure";
import type { Delivery, Message } from "../deliver/delivery.ts";
import { fail } from "../steps/fail.ts";
import { collect } from "./collect.ts";
import { FanOutUnmetError, NotABranchError } from "./errors.ts";
import { gather } from "./gather.ts";
import type { GatheredBranches } from "./gather.ts";

/**
 * Handles a message at a joining agent (fan-in): records a branch's answer, or, for the message that waited for the
 * branches, runs the handler with their answers.
 *
 * @param handle - Runs the handler.
 */
export async function actAtJoin(
  delivery: Delivery,
  at: {
    readonly message: Message;
    readonly collects: Contract;
    readonly handle: (delivery: Delivery) => Delivery | Promise<Delivery>;
  },
): Promise<Delivery> {
  const { agent } = delivery.place;
  const { meta } = at.message.envelope;
  const fanOutId = joinOf(meta);
  if (fanOutId === null) {
    const branch = branchOf(meta);
    if (branch?.join === agent.name) return collect(delivery, { message: at.message, branch });
    return fail(delivery, new NotABranchError(agent.id), { direction: "run", contract: agent.accepts });
  }
  let branches: GatheredBranches;
  try {
    branches = await gather(delivery.place, { fanOutId, collects: at.collects });
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    return fail(delivery, error, { direction: "run", contract: agent.accepts });
  }
  const { gathered } = branches;
  if (!gathered.isMet && agent.options.onUnmet !== "handle") return giveUp(delivery, gathered);
  delivery.received.add(branches.labels);
  return at.handle(withGathered(delivery, { message: at.message, branches }));
}

function giveUp(delivery: Delivery, gathered: GatheredBranches["gathered"]): Delivery {
  const { agent } = delivery.place;
  const error = new FanOutUnmetError(agent.id, { total: gathered.total, answered: gathered.answers.length });
  const failure = toFailure(error, { agent: agent.id, contract: agent.accepts.id, direction: "run" });
  return { ...delivery, outcome: { kind: "gave_up", failure } };
}

/** Counts the branches' spending against the run's limits from here on; each branch has reported its own share. */
function withGathered(
  delivery: Delivery,
  { message, branches }: { readonly message: Message; readonly branches: GatheredBranches },
): Delivery {
  const { envelope } = message;
  const billing = {
    ...envelope.billing,
    cost_so_far: envelope.billing.cost_so_far + branches.cost,
    tokens_consumed: envelope.billing.tokens_consumed + branches.tokens,
  };
  return {
    ...delivery,
    gathered: branches.gathered,
    message: { ...message, envelope: { ...envelope, billing } },
  };
}
