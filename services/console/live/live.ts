import type { Overview } from "#shared/api";
import { followSignals, sleep } from "#shared/clock";
import { TENANT_DEFAULT } from "#shared/config";
import { FairLimit } from "#shared/http/limits";
import type { AuditEntry } from "#shared/store/cases";
import type { Logger } from "#shared/telemetry";
import { TooManyStreamsError } from "../errors.ts";
import { measure } from "./measure.ts";
import type { Measured } from "./measure.ts";

/** One update of a watching page. */
export interface Tick {
  /** Rises by one with every look at the store. */
  readonly number: number;
  readonly overview: Overview;
  /** Newest lines of the audit, newest first: every change of every case is among them. */
  readonly audit: readonly AuditEntry[];
}

interface LiveParts extends Measured {
  readonly logger: Logger;
  readonly bounds: { readonly tickMs: number; readonly streamsMax: number };
}

const AUDIT_LINES = 50;

/** Looks at the store once a tick for all pages that watch, and never without one. Slow pages miss ticks. */
export class Live {
  private readonly parts: LiveParts;
  private readonly waiting = new Set<(reason: unknown) => void>();
  private latest: Tick | null = null;
  private readonly watchers: FairLimit;
  private timer: NodeJS.Timeout | null = null;
  private isLooking = false;
  private looks = 0;

  constructor(parts: LiveParts) {
    this.parts = parts;
    this.watchers = new FairLimit(parts.bounds.streamsMax);
  }

  /** Begins to watch for a key or session. @returns A function that ends it, once. @throws {TooManyStreamsError} */
  enter(name: string): () => void {
    const leave = this.watchers.enter({ name, tenant: TENANT_DEFAULT });
    if (leave === null) throw new TooManyStreamsError();
    this.timer ??= setInterval(() => void this.look(), this.parts.bounds.tickMs);
    void this.look();
    return () => {
      leave();
      if (this.watchers.count > 0 || this.timer === null) return;
      clearInterval(this.timer);
      this.timer = null;
      this.latest = null;
    };
  }

  /** The first tick after number `seen`, or null after `timeoutMs` or when the signal is aborted. */
  async next(
    seen: number,
    wait: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<Tick | null> {
    if (this.latest === null || this.latest.number <= seen) {
      const { signal, abort, letGo } = followSignals([wait.signal]);
      this.waiting.add(abort);
      await sleep(wait.timeoutMs, signal).catch(() => undefined);
      letGo();
      this.waiting.delete(abort);
    }
    return this.latest !== null && this.latest.number > seen ? this.latest : null;
  }

  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      const [overview, audit] = await Promise.all([
        measure(this.parts),
        this.parts.store.cases.audit(null, AUDIT_LINES),
      ]);
      this.looks += 1;
      this.latest = { number: this.looks, overview, audit };
      for (const wake of this.waiting) wake("a tick");
    } catch (error) {
      this.parts.logger.debug({ err: error }, "the store could not be looked at");
    } finally {
      this.isLooking = false;
    }
  }
}
