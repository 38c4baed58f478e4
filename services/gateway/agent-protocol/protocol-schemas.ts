import { z } from "zod";

/** Forms of the Agent Protocol, version 1 (agentprotocol.ai): names and shapes are the protocol's, not ours. */

const PAGE_SIZE_MAX = 100;
const PAGE_MAX = 1_000_000;
const INPUT_CHARS_MAX = 60_000;
const ID_CHARS_MAX = 128;

/** Input parameters; the protocol allows any object. */
const parameters = z.record(z.string(), z.unknown());

export const taskBody = z
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

export const stepBody = z
  .object({
    input: z.string().max(INPUT_CHARS_MAX).nullish(),
    additional_input: parameters.nullish(),
  })
  .meta({ description: "Taken and not used: a run has all it needs from its task." })
  .optional();

export const artifactSchema = z.object({
  artifact_id: z.string(),
  agent_created: z.boolean(),
  file_name: z.string(),
  relative_path: z.string().nullable(),
});

export const taskSchema = z.object({
  input: z.string().nullable(),
  additional_input: parameters,
  task_id: z.string().meta({ description: "The run's id: GET /v1/runs/{run_id} shows more." }),
  artifacts: z.array(artifactSchema),
});

export const stepSchema = z.object({
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

export const taskPageSchema = z.object({ tasks: z.array(taskSchema), pagination });
export const stepPageSchema = z.object({ steps: z.array(stepSchema), pagination });
export const artifactPageSchema = z.object({ artifacts: z.array(artifactSchema), pagination });

export const pageQuery = z.object({
  current_page: z.coerce.number().int().min(1).max(PAGE_MAX).default(1),
  page_size: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(10),
});

const id = z.string().max(ID_CHARS_MAX);

export const taskParams = z.object({ task_id: id });
export const stepParams = z.object({ task_id: id, step_id: id });
export const artifactParams = z.object({ task_id: id, artifact_id: id });
export const artifactAloneParams = z.object({ artifact_id: id });

export type Artifact = z.output<typeof artifactSchema>;
export type Step = z.output<typeof stepSchema>;
export type Task = z.output<typeof taskSchema>;
export type Pagination = z.output<typeof pagination>;
export type PageQuery = z.output<typeof pageQuery>;
