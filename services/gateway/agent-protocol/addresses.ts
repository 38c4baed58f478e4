import { AGENT_PROTOCOL_BASE } from "#shared/api";
import type { Problem } from "#shared/http";
import type { GatewayRoute } from "../gateway.ts";

/** Base of the draft of the Agent Protocol, whose addresses the source documents have: the same operations. */
const DRAFT_BASE = "/agent";

/** Returns the routes of version 1 once more, at the addresses of the draft. */
export function draftRoutesOf(routes: readonly GatewayRoute[]): GatewayRoute[] {
  return routes
    .filter(({ path }) => isOfAgentProtocol(path))
    .map((route) => ({ ...route, path: `${DRAFT_BASE}${route.path.slice(AGENT_PROTOCOL_BASE.length)}` }));
}

/** Returns true if the sender of a request speaks the protocol, and so reads errors in its form. */
export function isOfAgentProtocol(url: string): boolean {
  return url.startsWith(`${AGENT_PROTOCOL_BASE}/`) || url.startsWith(`${DRAFT_BASE}/`);
}

/** A problem as the protocol's clients read it: `message` is all that they know, the rest is what ours know. */
export function writeProtocolProblem(problem: Problem): { readonly type: string; readonly body: object } {
  return { type: "application/json; charset=utf-8", body: { message: problem.detail, ...problem } };
}
