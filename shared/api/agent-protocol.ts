import { z } from "zod";
import { READERS, SUBMITTERS } from "./fields.ts";
import { START_PROBLEMS } from "./runs.ts";
import { get, post } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

/** Forms of the Agent Protocol, version 1 (agentprotocol.ai): names and shapes are the protocol's, not ours. */

const PAGE_SIZE_MAX = 100;
const PAGE_MAX = 1_000_000;
const INPUT_CHARS_MAX = 60_000;
const ID_CHARS_MAX = 128;

/** Input parameters; the protocol allows any object. */
const parameters = z.record(z.string(), z.unknown());

const taskBody = z
  .object({
    input: z
      .string()
      .max(INPUT_CHARS_MAX)
      .nullish()
      .meta({ description: "What the task is, in words. The team says how it reads a text." }),
    additional_input: parameters.nullish().meta({
      description:
        "`team` chooses the team; every other field is one of the input that its contract asks for.",
    }),
  })
  .prefault({});

const stepBody = z
  .object({
    input: z.string().max(INPUT_CHARS_MAX).nullish(),
    additional_input: parameters.nullish(),
  })
  .meta({ description: "Taken and not used: a run has all it needs from its task." })
  .optional();

const artifactSchema = z.object({
  artifact_id: z.string(),
  agent_created: z.boolean(),
  file_name: z.string(),
  relative_path: z.string().nullable(),
});

const taskSchema = z.object({
  input: z.string().nullable(),
  additional_input: parameters,
  task_id: z.string().meta({ description: "The run's id: GET /v1/runs/{run_id} shows more." }),
  artifacts: z.array(artifactSchema),
});

const stepSchema = z.object({
  input: z.string().nullable(),
  additional_input: parameters,
  task_id: z.string(),
  step_id: z.string().meta({ description: "The id of the message that an agent works on." }),
  name: z.string().nullable().meta({ description: "The agent." }),
  status: z.enum(["created", "running", "completed"]),
  output: z.string().nullable(),
  additional_output: parameters.meta({
    description:
      "The run's status, what the agent did, what it cost, whom the step waits for, and the error of a run that failed.",
  }),
  artifacts: z.array(artifactSchema),
  is_last: z.boolean(),
});

const pagination = z.object({
  total_items: z.int(),
  total_pages: z.int(),
  current_page: z.int(),
  page_size: z.int(),
});

const pageQuery = z.object({
  current_page: z.coerce.number().int().min(1).max(PAGE_MAX).default(1),
  page_size: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(10),
});

const id = z.string().max(ID_CHARS_MAX);

const taskParams = z.object({ task_id: id });

export type Artifact = z.output<typeof artifactSchema>;
export type Step = z.output<typeof stepSchema>;
export type TaskBody = z.output<typeof taskBody>;
export type Task = z.output<typeof taskSchema>;
export type Pagination = z.output<typeof pagination>;
export type PageQuery = z.output<typeof pageQuery>;

/** Path below which version 1 of the Agent Protocol has its addresses. */
export const AGENT_PROTOCOL_BASE = "/ap/v1/agent";

const BASE = AGENT_PROTOCOL_BASE;

export const AGENT_PROTOCOL = {
  createAgentTask: {
    ...post(`${BASE}/tasks`, SUBMITTERS),
    summary: "Agent Protocol: create a task",
    body: taskBody,
    answers: { 200: taskSchema },
    problems: START_PROBLEMS,
  },
  listAgentTasks: {
    ...get(`${BASE}/tasks`, READERS),
    summary: "Agent Protocol: list tasks, newest first",
    query: pageQuery,
    answers: { 200: z.object({ tasks: z.array(taskSchema), pagination }) },
  },
  getAgentTask: {
    ...get(`${BASE}/tasks/:task_id`, READERS),
    summary: "Agent Protocol: show a task",
    params: taskParams,
    answers: { 200: taskSchema },
    problems: ["not_found"],
  },
  listAgentTaskSteps: {
    ...get(`${BASE}/tasks/:task_id/steps`, READERS),
    summary: "Agent Protocol: list the steps of a task, done ones first",
    params: taskParams,
    query: pageQuery,
    answers: { 200: z.object({ steps: z.array(stepSchema), pagination }) },
    problems: ["not_found"],
  },
  executeAgentTaskStep: {
    ...post(`${BASE}/tasks/:task_id/steps`, SUBMITTERS),
    summary: "Agent Protocol: wait for the next step",
    params: taskParams,
    body: stepBody,
    answers: { 200: stepSchema },
    problems: ["not_found", "too_many_waiters"],
  },
  getAgentTaskStep: {
    ...get(`${BASE}/tasks/:task_id/steps/:step_id`, READERS),
    summary: "Agent Protocol: show a step",
    params: taskParams.extend({ step_id: id }),
    answers: { 200: stepSchema },
    problems: ["not_found"],
  },
  listAgentTaskArtifacts: {
    ...get(`${BASE}/tasks/:task_id/artifacts`, READERS),
    summary: "Agent Protocol: list the artifacts of a task",
    params: taskParams,
    query: pageQuery,
    answers: { 200: z.object({ artifacts: z.array(artifactSchema), pagination }) },
    problems: ["not_found"],
  },
  downloadAgentTaskArtifact: {
    ...get(`${BASE}/tasks/:task_id/artifacts/:artifact_id`, READERS),
    summary: "Agent Protocol: download an artifact",
    params: taskParams.extend({ artifact_id: id }),
    answers: { 200: "application/octet-stream" },
    problems: ["not_found"],
  },
  downloadAgentArtifact: {
    ...get(`${BASE}/artifacts/:artifact_id`, READERS),
    summary: "Agent Protocol, draft: download an artifact by its id alone",
    params: z.object({ artifact_id: id }),
    answers: { 200: "application/octet-stream" },
    problems: ["not_found"],
  },
} as const satisfies DeclaredApi;
