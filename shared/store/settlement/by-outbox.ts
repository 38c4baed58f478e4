import { crashPoint } from "#shared/crash-points";
import type { OutboxEntry } from "./effects.ts";
import type { Outbox } from "./outbox.ts";
import type { Decision, LeftReport, Settlement, WardIntake } from "./settlement.ts";

/** Settles by the transactional outbox: outcome and entry in one script, effects after it. Works on any topology. */
export class ByOutbox implements Settlement {
  readonly scriptPrefix = null;
  private readonly outbox: Outbox;
  private readonly ward: WardIntake | null;
  private readonly onLeft: LeftReport;

  /** @param ward - Null: entries with dead messages are left to a relay that has a ward. */
  constructor(outbox: Outbox, ward: WardIntake | null, onLeft: LeftReport) {
    this.outbox = outbox;
    this.ward = ward;
    this.onLeft = onLeft;
  }

  async settle<Written>(decision: Decision<Written>): Promise<Written> {
    const { slot, entry, crashPoints } = decision;
    const written = await decision.withEntry();
    if (entry === null || !decision.stands(written)) return written;
    if (crashPoints !== undefined) crashPoint(crashPoints[0]);
    await this.deliver(slot, entry, () => {
      if (crashPoints !== undefined) crashPoint(crashPoints[1]);
    });
    return written;
  }

  async deliver(slot: string, entry: OutboxEntry, beforeForgotten = (): void => undefined): Promise<void> {
    try {
      await this.outbox.deliver(entry, { slot, ward: this.ward });
      beforeForgotten();
      this.outbox.forget(slot, entry);
    } catch (error) {
      this.onLeft(error, entry);
    }
  }

  relay(slot: string, olderThanMs?: number): Promise<number> {
    return this.outbox.relay(slot, { olderThanMs, ward: this.ward });
  }

  scriptEffectsOf(): null {
    return null;
  }

  through(ward: WardIntake, onLeft: LeftReport = this.onLeft): ByOutbox {
    return new ByOutbox(this.outbox, ward, onLeft);
  }
}
