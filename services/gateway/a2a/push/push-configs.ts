import type {
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import { digestOfKey, refusalOfAddress } from "#shared/http";
import { findOwn } from "../find-own.ts";
import type { TeamCall } from "../team-call.ts";
import { newTarget, readTarget, toConfig } from "./push-target.ts";
import type { PushTarget } from "./push-target.ts";

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
  checkConfig(call, config);
  const { pushTargets } = call.gateway.store;
  const id = config.id === "" ? "default" : config.id;
  const key = digestOfKey(call.request.headers.authorization);
  if (key === null) throw new TaskNotFoundError();
  const target = newTarget(config, key);
  if (!(await pushTargets.set(config.taskId, id, JSON.stringify(target))))
    throw new RequestMalformedError({ message: "The task has as many addresses as it may, or is gone." });
  await pushTargets.schedule(config.taskId);
  return toConfig(config.taskId, id, target);
}

/** @throws {RequestMalformedError} */
export function checkConfig(
  { gateway }: Pick<TeamCall, "gateway">,
  config: TaskPushNotificationConfig,
): void {
  const { url, token, authentication } = config;
  const texts = [token, authentication?.scheme ?? "", authentication?.credentials ?? ""];
  const refusal = refusalOfAddress(url, gateway.pushHosts);
  if (refusal !== null) throw new RequestMalformedError({ message: `The url ${refusal}.` });
  if ([url, ...texts].some((text) => text.length > TEXT_CHARS_MAX))
    throw new RequestMalformedError({
      message: `The url or a secret has more than ${TEXT_CHARS_MAX} characters.`,
    });
  if (!texts.every((text) => HEADER_TEXT.test(text)))
    throw new RequestMalformedError({ message: "Token and credentials are printable ASCII." });
  if (config.id !== "" && !ID.test(config.id))
    throw new RequestMalformedError({
      message: "The id is 1 to 128 letters, digits, dots, hyphens, underscores.",
    });
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
  await findOwn(call, taskId);
  await call.gateway.store.pushTargets.remove(taskId, id);
}

async function targetsOf(call: TeamCall, taskId: string): Promise<ReadonlyMap<string, PushTarget>> {
  await findOwn(call, taskId);
  const found = await call.gateway.store.pushTargets.list(taskId);
  return new Map(
    [...found].flatMap(([id, text]) => {
      const target = readTarget(text);
      return target === undefined ? [] : [[id, target] as const];
    }),
  );
}
