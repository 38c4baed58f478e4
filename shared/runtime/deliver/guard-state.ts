import { labelsAt, labelsOf, readTaint } from "#shared/guard";
import type { GuardDeclaration, Taint } from "#shared/guard";
import type { Envelope } from "#shared/envelope";

/**
 * Taint labels of outside text that one delivery has read besides its payload: from steps, branches and boards. Kept
 * for agents without a guard as well, because outputs inherit them.
 */
export class ReceivedLabels {
  // Created on first use: most deliveries read none.
  private labels: Set<string> | null = null;

  add(labels: Iterable<string>): void {
    for (const label of labels) {
      this.labels ??= new Set();
      this.labels.add(label);
    }
  }

  all(): readonly string[] {
    return this.labels === null ? NONE : [...this.labels];
  }
}

const NONE: readonly string[] = [];

/** The guard's state for one delivery. Created only for agents that declare a guard. */
export class GuardState {
  readonly declared: GuardDeclaration;
  private readonly payload: Taint;
  /** Labels of what was read besides the payload. */
  private readonly others: ReceivedLabels;

  constructor(declared: GuardDeclaration, { payload, others }: { payload: Taint; others: ReceivedLabels }) {
    this.declared = declared;
    this.payload = payload;
    this.others = others;
  }

  /** Returns the taint labels of everything that this delivery has read so far. */
  labels(): readonly string[] {
    return [...new Set([...labelsOf(this.payload), ...this.others.all()])];
  }

  /** Returns the labels of these places in the payload, and of everything read besides it. */
  labelsAt(pointers: readonly string[]): readonly string[] {
    return [
      ...new Set([...pointers.flatMap((pointer) => labelsAt(this.payload, pointer)), ...this.others.all()]),
    ];
  }

  add(label: string): void {
    this.others.add([label]);
  }

  /** Records a step that reads text from outside. */
  noteStep(name: string): void {
    const steps = this.declared.untrusted?.steps ?? {};
    const label = Object.hasOwn(steps, name) ? steps[name] : undefined;
    if (label !== undefined) this.others.add([label]);
  }
}

/** Returns the taint labels of what a side effect may use: the places that its author names, else everything read. */
export function labelsOfEffect(
  delivery: {
    readonly guard: GuardState | null;
    readonly received: ReceivedLabels;
    readonly message: { readonly envelope: Envelope };
  },
  { uses }: { readonly uses?: readonly string[] },
): readonly string[] {
  if (uses === undefined) return labelsOfDelivery(delivery, delivery.message);
  const { guard, message, received } = delivery;
  const payload = readTaint(message.envelope.conversation.metadata) ?? {};
  return (guard ?? new GuardState({}, { payload, others: received })).labelsAt(uses);
}

/** Returns the taint labels of everything that a delivery has read so far, which its outputs inherit. */
export function labelsOfDelivery(
  { guard, received }: { readonly guard: GuardState | null; readonly received: ReceivedLabels },
  { envelope }: { readonly envelope: Envelope },
): readonly string[] {
  if (guard !== null) return guard.labels();
  const came = readTaint(envelope.conversation.metadata);
  if (came === null) return received.all();
  return [...new Set([...labelsOf(came), ...received.all()])];
}
