import { createMcpHandler } from "@modelcontextprotocol/server";
import { createTeamServer } from "./team-server.ts";
import type { TeamsPort } from "./teams-port.ts";

/**
 * Answers one request of Streamable HTTP, of the protocol of 2026 or of 2025. No session is kept.
 *
 * @param request - Its signal is aborted when the client is gone.
 */
export async function serveMcpRequest(
  port: TeamsPort,
  request: Request,
  asked: { readonly body: unknown; readonly heartbeatEveryMs: number },
): Promise<Response> {
  const handler = createMcpHandler(
    // Since 2026 a client cancels by ending the request; before, that meant nothing.
    ({ era }) => createTeamServer(port, { cancelsRuns: era === "modern" }),
    { keepAliveMs: asked.heartbeatEveryMs },
  );
  return handler.fetch(request, { parsedBody: asked.body });
}
