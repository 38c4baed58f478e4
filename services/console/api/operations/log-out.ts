import { sessionCookie } from "../guards/session-cookie.ts";
import type { Handler } from "../operation.ts";

/** Ends the session it comes with; the cookie is worth nothing from then on. */
export const logOut: Handler<"logOut"> = async ({ console, caller, request, reply }) => {
  if (caller.session !== null) await console.sessions.end(caller.session);
  void reply.header("set-cookie", sessionCookie(request, { secret: "", lifeMs: 0 }));
  return reply.send();
};
