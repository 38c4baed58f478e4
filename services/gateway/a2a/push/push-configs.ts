import type {
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import { digestOfKey, refusalOfAddress } from "#shared/http";
import type { PushEntry } from "#shared/store/runs";
import { findOwn } from "../team-call.ts";
import type { TeamCall } from "../team-call.ts";
import { newTarget, readTarget } from "../../push/push-target.ts";
import type { PushTarget } from "../../push/push-target.ts";

const TEXT_CHARS_MAX = 2000;
/** A header's value, so that no secret of a client can write a header of its own. */
const HEADER_TEXT = /^[\x20-\x7e]*$/;
const ID = /^[\w.-]{1,128}$/;

/** Adds an address, or replaces the one with the same id. @throws {RequestMalformedError} It may not be called. */
export async function createConfig(
  call: TeamCall,
  config: TaskPushNotificationConfig,
): Promise<TaskPushNotificationConfig> {
  await findOwn(call, config.taskId);
  const { pushTargets } = call.gateway.store;
  const entry = toPush(call, config);
  if (!(await pushTargets.set(config.taskId, entry)))
    throw new RequestMalformedError({ message: "The task has as many addresses as it may, or is gone." });
  await pushTargets.schedule(config.taskId);
  return toConfig(config.taskId, entry.id, { url: config.url, scheme: config.authentication?.scheme ?? "" });
}

/** Returns an address as its run keeps it. @throws {RequestMalformedError} It may not be called. */
export function toPush(
  { gateway, request }: TeamCall,
  { id, url, token, authentication }: TaskPushNotificationConfig,
): PushEntry {
  const { scheme = "", credentials = "" } = authentication ?? {};
  const texts = [token, scheme, credentials];
  const refusal = refusalOfAddress(url, gateway.pushHosts);
  if (refusal !== null) throw new RequestMalformedError({ message: `The url ${refusal}.` });
  if ([url, ...texts].some((text) => text.length > TEXT_CHARS_MAX))
    throw new RequestMalformedError({
      message: `The url or a secret has more than ${TEXT_CHARS_MAX} characters.`,
    });
  if (!texts.every((text) => HEADER_TEXT.test(text)))
    throw new RequestMalformedError({ message: "Token and credentials are printable ASCII." });
  if (id !== "" && !ID.test(id))
    throw new RequestMalformedError({
      message: "The id is 1 to 128 letters, digits, dots, hyphens, underscores.",
    });
  const key = digestOfKey(request.headers.authorization);
  if (key === null) throw new TaskNotFoundError();
  const target = newTarget({ form: "a2a", url, token, scheme, credentials, key });
  return { id: id === "" ? "default" : id, target };
}

export async function getConfig(
  call: TeamCall,
  { taskId, id }: GetTaskPushNotificationConfigRequest,
): Promise<TaskPushNotificationConfig> {
  const target = (await targetsOf(call, taskId)).get(id);
  if (target === undefined) throw new TaskNotFoundError({ message: "The task has no such address." });
  return toConfig(taskId, id, target);
}

export async function listConfigs(
  call: TeamCall,
  { taskId }: ListTaskPushNotificationConfigsRequest,
): Promise<ListTaskPushNotificationConfigsResponse> {
  const configs = [...(await targetsOf(call, taskId))].map(([id, target]) => toConfig(taskId, id, target));
  return { configs, nextPageToken: "" };
}

export async function deleteConfig(
  call: TeamCall,
  { taskId, id }: DeleteTaskPushNotificationConfigRequest,
): Promise<void> {
  if ((await targetsOf(call, taskId)).has(id)) await call.gateway.store.pushTargets.remove(taskId, id);
}

/** The task's own webhook is no address of A2A. */
async function targetsOf(call: TeamCall, taskId: string): Promise<ReadonlyMap<string, PushTarget>> {
  await findOwn(call, taskId);
  const found = await call.gateway.store.pushTargets.list(taskId);
  return new Map(
    [...found].flatMap(([id, text]) => {
      const target = readTarget(text);
      return target?.form === "a2a" ? [[id, target] as const] : [];
    }),
  );
}

/** Returns a target as its client reads it again: without what is secret. */
function toConfig(
  taskId: string,
  id: string,
  { url, scheme }: Pick<PushTarget, "url" | "scheme">,
): TaskPushNotificationConfig {
  const authentication = scheme === "" ? undefined : { scheme, credentials: "" };
  return { tenant: "", id, taskId, url, token: "", authentication };
}
