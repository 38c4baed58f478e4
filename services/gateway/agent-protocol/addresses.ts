import { AGENT_PROTOCOL_BASE } from "#shared/api";

/** Where the draft of the Agent Protocol had its addresses, and the source documents have them: the same operations. */
const DRAFT = "/agent/";

/** The address of version 1 for an address of the draft; every other one as it is. */
export function rewriteDraftUrl(url: string): string {
  return url.startsWith(DRAFT) ? `${AGENT_PROTOCOL_BASE}/${url.slice(DRAFT.length)}` : url;
}

/** Whether the sender of a request speaks the protocol, and so reads errors in its form. */
export function isOfAgentProtocol(url: string): boolean {
  return url.startsWith(`${AGENT_PROTOCOL_BASE}/`);
}
