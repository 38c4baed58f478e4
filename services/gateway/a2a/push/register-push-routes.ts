import { ListTaskPushNotificationConfigsResponse, TaskPushNotificationConfig } from "@a2a-js/sdk";
import { READERS } from "#shared/api";
import type { ApiScope } from "#shared/config";
import { isRecord } from "#shared/json";
import type { AddRoute, RestCall } from "../rest-call.ts";

const CONFIGS = "/tasks/:task/pushNotificationConfigs";

/** The HTTP+JSON binding of a task's push notifications. */
export function registerPushRoutes(route: AddRoute, writers: readonly ApiScope[]): void {
  route("POST", CONFIGS, {
    scopes: writers,
    work: async (rest) => {
      const body = isRecord(rest.request.body) ? rest.request.body : {};
      const config = TaskPushNotificationConfig.fromJSON({ ...body, taskId: idsOf(rest).taskId });
      const made = await rest.handler.createTaskPushNotificationConfig(config, rest.context);
      void rest.reply.code(201);
      return TaskPushNotificationConfig.toJSON(made);
    },
  });
  route("GET", CONFIGS, {
    scopes: READERS,
    work: async (rest) => {
      const asked = { ...idsOf(rest), pageSize: 0, pageToken: "" };
      const list = await rest.handler.listTaskPushNotificationConfigs(asked, rest.context);
      return ListTaskPushNotificationConfigsResponse.toJSON(list);
    },
  });
  route("GET", `${CONFIGS}/:config`, {
    scopes: READERS,
    work: async (rest) =>
      TaskPushNotificationConfig.toJSON(
        await rest.handler.getTaskPushNotificationConfig(idsOf(rest), rest.context),
      ),
  });
  route("DELETE", `${CONFIGS}/:config`, {
    scopes: writers,
    work: async (rest) => {
      await rest.handler.deleteTaskPushNotificationConfig(idsOf(rest), rest.context);
      return rest.reply.code(204).send();
    },
  });
}

function idsOf({ request }: RestCall): { readonly tenant: ""; readonly taskId: string; readonly id: string } {
  // The routes have the first parameter, and those of one configuration the second.
  const { task, config = "" } = request.params as { task: string; config?: string };
  return { tenant: "", taskId: task, id: config };
}
