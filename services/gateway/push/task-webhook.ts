import type { FastifyRequest } from "fastify";
import { digestOfKey, refusalOfAddress, RequestInvalidError, UnauthorisedError } from "#shared/http";
import type { PushEntry } from "#shared/store/runs";
import type { Gateway } from "../gateway.ts";
import type { Handler } from "../operation.ts";
import { newTarget } from "./push-target.ts";

type TaskWebhook = NonNullable<Parameters<Handler<"submitTask">>[0]["body"]["webhook"]>;

/** No id of an A2A client's own address: those have no colon. */
const ID = "task:webhook";

/** Returns the address that a task asks to have told of its end, as its run keeps it. @throws {RequestInvalidError} */
export function toPush(
  gateway: Gateway,
  request: FastifyRequest,
  { url, secret = "" }: TaskWebhook,
): PushEntry {
  const refusal = refusalOfAddress(url, gateway.pushHosts);
  if (refusal !== null)
    throw new RequestInvalidError([{ path: "/webhook/url", code: "not_allowed", message: refusal }]);
  const key = digestOfKey(request.headers.authorization);
  if (key === null) throw new UnauthorisedError();
  return { id: ID, target: newTarget({ form: "run", url, token: secret, scheme: "", credentials: "", key }) };
}
