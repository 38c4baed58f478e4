import { derivedId, timestamp } from "#shared/clock";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import type { Admission } from "#shared/store/settlement";
import { admission } from "./admission.ts";
import type { Admitter } from "./admission.ts";
import { branchFieldOf } from "../deliver/branch-field.ts";
import type { Delivery } from "../deliver/delivery.ts";
import type { CheckedHandoff } from "./outcome.ts";
import type { SealedHandoff } from "./seal-handoff.ts";
import { failureDetail } from "./run-change.ts";

/** A handoff whose payload violates its contract: the child message is admitted to the ward. */
export interface DeadHandoff {
  readonly handoff: CheckedHandoff;
  readonly child: SealedHandoff;
}

export function admitterOf({ place, hold }: Delivery): Admitter {
  return { keyring: place.keyring, id: place.agent.id, team: place.team.name, runId: hold.runId };
}

/** Returns the admission of a handoff that was never sent. */
export function deadAdmission(delivery: Delivery, { handoff, child }: DeadHandoff): Admission {
  return admission(admitterOf(delivery), {
    messageId: child.envelope.meta.message_id,
    message: child,
    stored: child.message,
    agent: handoff.draft.to,
    contract: handoff.draft.contract,
    subject: { kind: "payload" },
    disposition: isForPerson(handoff) ? "quarantine" : "operate",
    failures: handoff.failure === null ? [] : [handoff.failure],
    producer: delivery.place.agent.id,
    parent: { index: child.index, message: { ...delivery.job.data, attempt: 0 } },
  });
}

/** Returns its change of the run. */
export function deadChange(delivery: Delivery, { handoff, child }: DeadHandoff): RunChange {
  const state = isForPerson(handoff) ? "quarantined" : "in_ward";
  const { meta } = child.envelope;
  return {
    event: {
      id: derivedId(meta.message_id, "in_ward"),
      run_id: delivery.hold.runId,
      type: state,
      at: timestamp(),
      message_id: meta.message_id,
      agent: handoff.draft.to,
      detail: { from: delivery.place.agent.name, ...failureDetail(handoff.failure) },
    },
    moves: { state, rank: rankOf.ward(0) },
    ...branchFieldOf(meta),
  };
}

function isForPerson({ failure, draft }: CheckedHandoff): boolean {
  return failure?.failure_class === "content_error" && draft.contract.options.onContentError === "quarantine";
}
