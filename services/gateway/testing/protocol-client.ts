import { z } from "zod";

export type ProtocolClient = ReturnType<typeof protocolClient>;

/** A client of the Agent Protocol, version 1: it knows the protocol's addresses and forms and nothing of Suture. */
export function protocolClient(url: string, key: string) {
  const base = `${url}/ap/v1/agent/tasks`;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const get = (path: string): Promise<Response> => fetch(base + path, { headers });
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
  return {
    create: (body: unknown) => post("", body),
    task: (id: string) => get(`/${id}`),
    tasks: (query = "") => get(query),
    steps: (id: string, query = "") => get(`/${id}/steps${query}`),
    execute: (id: string) => post(`/${id}/steps`, {}),
    step: (id: string, stepId: string) => get(`/${id}/steps/${stepId}`),
    artifacts: (id: string) => get(`/${id}/artifacts`),
    download: (id: string, artifactId: string) => get(`/${id}/artifacts/${artifactId}`),
  };
}

/** Forms as the protocol's own OpenAPI document has them: what is required there is required here, and nothing more. */
const artifactForm = z.looseObject({
  artifact_id: z.string(),
  agent_created: z.boolean(),
  file_name: z.string(),
  relative_path: z.string().nullish(),
});
const pagination = z.object({
  total_items: z.int(),
  total_pages: z.int(),
  current_page: z.int(),
  page_size: z.int(),
});
export const taskForm = z.looseObject({
  task_id: z.string(),
  input: z.string().nullish(),
  additional_input: z.record(z.string(), z.unknown()).optional(),
  artifacts: z.array(artifactForm),
});
export const stepForm = z.looseObject({
  task_id: z.string(),
  step_id: z.string(),
  name: z.string().nullish(),
  status: z.enum(["created", "running", "completed"]),
  output: z.string().nullish(),
  additional_output: z.record(z.string(), z.unknown()).nullish(),
  artifacts: z.array(artifactForm),
  is_last: z.boolean(),
});
export const taskPageForm = z.object({ tasks: z.array(taskForm), pagination });
export const stepPageForm = z.object({ steps: z.array(stepForm), pagination });
export const artifactPageForm = z.object({ artifacts: z.array(artifactForm), pagination });
export const failureForm = z.looseObject({ message: z.string() });

/** Executes steps, as every client of the protocol does, until one says that it is the last. */
export async function executeAll(
  client: ProtocolClient,
  taskId: string,
): Promise<z.output<typeof stepForm>[]> {
  const steps: z.output<typeof stepForm>[] = [];
  for (let asked = 0; asked < 100; asked += 1) {
    const step = stepForm.parse(await (await client.execute(taskId)).json());
    steps.push(step);
    if (step.is_last) return steps;
  }
  throw new Error("the task has no last step");
}
