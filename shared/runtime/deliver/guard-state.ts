import { labelsAt, labelsOf } from "#shared/guard";
import type { GuardDeclaration, Taint } from "#shared/guard";
import type { ReceivedLabels } from "./received-labels.ts";

/** What the guard of an agent knows of one delivery. Made only where its agent declares one. */
export class GuardState {
  readonly declared: GuardDeclaration;
  private readonly payload: Taint;
  /** Of what came in beside the payload. */
  private readonly others: ReceivedLabels;

  constructor(declared: GuardDeclaration, { payload, others }: { payload: Taint; others: ReceivedLabels }) {
    this.declared = declared;
    this.payload = payload;
    this.others = others;
  }

  /** Every label of what this delivery has read so far. */
  labels(): readonly string[] {
    return [...new Set([...labelsOf(this.payload), ...this.others.all()])];
  }

  /** The labels of these places of the payload, and of everything that came in beside it. */
  labelsAt(pointers: readonly string[]): readonly string[] {
    return [
      ...new Set([...pointers.flatMap((pointer) => labelsAt(this.payload, pointer)), ...this.others.all()]),
    ];
  }

  add(label: string): void {
    this.others.add([label]);
  }

  /** A step that brings text in from outside. */
  noteStep(name: string): void {
    const steps = this.declared.untrusted?.steps ?? {};
    const label = Object.hasOwn(steps, name) ? steps[name] : undefined;
    if (label !== undefined) this.others.add([label]);
  }
}
