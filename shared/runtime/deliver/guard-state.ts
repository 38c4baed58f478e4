import { labelsAt, labelsOf } from "#shared/guard";
import type { GuardDeclaration, Taint } from "#shared/guard";
import type { ReceivedLabels } from "./received-labels.ts";

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
