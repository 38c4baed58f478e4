import { recordOf } from "#shared/ward";
import { now } from "#shared/clock";
import type { StoredCase } from "#shared/store/cases";
import {
  ATTRIBUTES,
  isTracing,
  linkSpan,
  messagingAttributes,
  startSpan,
  traceparentOf,
  withSpan,
} from "#shared/telemetry";
import type { Span } from "#shared/telemetry";
import { spentOn } from "#shared/ward/moves";
import type { Attempt } from "#shared/ward/moves";
import type { Surgery } from "../surgery.ts";

/** End of a stay. `refused`: a person's decision could not be carried out and was withdrawn. */
export type CaseOutcome =
  | "discharged"
  | "rerouted"
  | "released"
  | "discarded"
  | "restored"
  | "quarantined"
  | "postponed"
  | "refused";

/** Traces, logs and measures one stay of a case in surgery, from its job's delivery to the outcome. */
export class CaseReport {
  #span: Span | null = null;
  #ended: { readonly outcome: CaseOutcome; readonly attempts: readonly Attempt[] } | null = null;

  /** Sets the outcome. Call it once the outcome is written. */
  end(outcome: CaseOutcome, attempts: readonly Attempt[] = []): void {
    this.#ended = { outcome, attempts };
  }

  /** Links the span to the trace of the case's message. */
  link(traceparent: string): void {
    if (this.#span !== null) linkSpan(this.#span, traceparent);
  }

  /** Returns the W3C trace context of a message sent in another's place: a span in its trace, linked to this one. */
  traceparentOfSend({ parent, to, case_id }: { parent: string; to: string; case_id: string }): string {
    if (this.#span === null) return parent;
    const span = startSpan(`send ${to}`, {
      kind: "producer",
      parent,
      links: [traceparentOf(this.#span)],
      attributes: { ...messagingAttributes("send", to), [ATTRIBUTES.caseId]: case_id },
    });
    span.end();
    return traceparentOf(span);
  }

  /** Runs `work` in a span of its own, then logs and measures the outcome. */
  async run<Result>(surgery: Surgery, stored: StoredCase, work: () => Promise<Result>): Promise<Result> {
    const startedMs = now();
    const { runId, addressedTo: agent } = recordOf(stored);
    const attributes = {
      ...messagingAttributes("process", "ward"),
      [ATTRIBUTES.caseId]: stored.case_id,
      [ATTRIBUTES.runId]: runId,
      [ATTRIBUTES.agent]: agent,
    };
    return withSpan("process ward", { kind: "consumer", parent: null, attributes }, async (span) => {
      if (isTracing()) this.#span = span;
      const result = await work();
      const { outcome = "parked", attempts = [] } = this.#ended ?? {};
      const { cost, tokens } = spentOn(attempts);
      span.setAttributes({
        [ATTRIBUTES.outcome]: outcome,
        [ATTRIBUTES.procedure]: attempts.at(-1)?.procedure ?? "none",
        [ATTRIBUTES.costUsd]: cost,
        [ATTRIBUTES.tokens]: tokens,
      });
      this.#report(surgery, stored, now() - startedMs);
      return result;
    });
  }

  #report({ logger, metrics }: Surgery, stored: StoredCase, ms: number): void {
    if (this.#ended === null) return;
    const { outcome, attempts } = this.#ended;
    const { runId: run_id, addressedTo: agent } = recordOf(stored);
    const procedure = attempts.at(-1)?.procedure ?? null;
    const { cost } = spentOn(attempts);
    logger[outcome === "postponed" ? "debug" : "info"](
      { case_id: stored.case_id, run_id, agent, procedure, outcome, ms, cost },
      "case",
    );
    metrics?.seconds.observe({ outcome }, ms / 1000);
    if (attempts.at(-1)?.outcome === "healed" && procedure !== null && procedure !== "triage")
      metrics?.repairs.add({ agent, procedure });
  }
}
