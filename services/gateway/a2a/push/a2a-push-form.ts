import { A2A_CONTENT_TYPE, StreamResponse } from "@a2a-js/sdk";
import { readTask } from "../../runs/read-task.ts";
import type { PushForm } from "../../push/push-form.ts";
import { viewTask } from "../view-task.ts";

/** Tells A2A clients of every change of a task's status, with the whole task. */
export const A2A_PUSH_FORM: PushForm = {
  tells: () => true,
  write: async (gateway, { caller, runId }) => {
    const task = viewTask(await readTask(gateway, caller, runId), gateway.a2aKeys);
    const body = JSON.stringify(StreamResponse.toJSON({ payload: { $case: "task", value: task } }));
    return { contentType: A2A_CONTENT_TYPE, body };
  },
};
