import { createFirst } from "../create-first.ts";
import type { FirstDraft } from "../create-first.ts";
import { issueKeyring } from "../keys/issue-keys.ts";
import { Keyring } from "../keys/keyring.ts";

/** A fixed deployment for this room's tests, with the same keys and first messages in every run. */
export const MASTER = Buffer.alloc(32, 7).toString("base64url");

export const EDGES = [
  { from: "gateway", to: "triage" },
  { from: "triage", to: "refunds" },
  { from: "refunds", to: "triage" },
  { from: "surgeon", to: "refunds" },
];

const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const RUN_ID = "019a0000-0000-7000-8000-000000000001";
export const NOW_MS = Date.UTC(2026, 0, 1);

export function keyringOf(...agents: readonly string[]): Keyring {
  return Keyring.merge(agents.map((agent) => issueKeyring({ master: MASTER, agent, edges: EDGES })));
}

export function firstEnvelope(draft: Partial<FirstDraft> = {}): ReturnType<typeof createFirst> {
  return createFirst({
    to: "triage@1",
    contract: "support.email@1",
    payload: { text: "My order 007 never came." },
    runId: RUN_ID,
    traceparent: TRACEPARENT,
    nowMs: NOW_MS,
    ttlMs: 5 * 60_000,
    user: { user_id: "u_999", original_query: "My order never came." },
    ...draft,
  });
}
