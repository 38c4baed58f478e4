/** How a side effect of `ctx.once` is named, shared, guarded and reconciled. */
export interface OnceOptions<Value> {
  /**
   * Who shares the idempotency key. `run`: the messages of one run at this agent. `agent`: all messages of this agent
   * in every run, until the retention is over; they share results, so the key must name everything that the result
   * depends on (an order, a file's digest). Default: `run`.
   */
  readonly scope?: "run" | "agent";
  /** Action name for the agent's guard. Default: the key up to its first colon. */
  readonly action?: string;
  /** JSON pointers to the parts of the payload that it uses, for the guard's `refusesTaint`. Default: all. */
  readonly uses?: readonly string[];
  /**
   * Asks the provider whether the effect with this idempotency key happened, after a crash left that open. Default:
   * none; then the message is quarantined, and a person must find out.
   */
  readonly reconcile?: (
    idempotencyKey: string,
    signal: AbortSignal,
  ) => Promise<{ readonly done: true; readonly value: Value } | { readonly done: false }>;
}
