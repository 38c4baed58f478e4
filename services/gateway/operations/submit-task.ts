import { z } from "zod";
import { checkPayload } from "#shared/contract";
import { RequestInvalidError } from "#shared/http";
import type { Agent, Team } from "#shared/runtime";
import { operation, SUBMITTERS } from "../operation.ts";
import { chooseEntry } from "../runs/choose-entry.ts";
import { digestRequest } from "../runs/digest-request.ts";
import { originalQueryOf } from "../runs/original-query.ts";
import { startRun } from "../runs/start-run.ts";
import type { RunDraft } from "../runs/start-run.ts";
import {
  anyValue,
  budgetField,
  constraintsField,
  hopsField,
  idempotencyKeyOf,
  nameField,
  priorityField,
  startedSchema,
  toStarted,
  tracestateOf,
  ttlField,
  userField,
} from "./request-fields.ts";

const taskSchema = z.strictObject({
  team: nameField,
  input: anyValue.meta({ description: "What the contract of the team's first agent asks for." }),
  user: userField.exactOptional(),
  priority: priorityField.exactOptional(),
  constraints: constraintsField.exactOptional(),
  budget: budgetField.exactOptional(),
  ttl_ms: ttlField.exactOptional(),
  max_hops: hopsField.exactOptional(),
  webhook: z.unknown().optional().meta({ description: "Not available yet: refused." }),
});

type Task = z.output<typeof taskSchema>;

/** A task comes in: checked, sealed and accepted before the answer. */
export const submitTask = operation({
  id: "submitTask",
  summary: "Submit a task to a team",
  scopes: SUBMITTERS,
  body: taskSchema,
  status: 202,
  answers: startedSchema,
  async handle({ gateway, body, request, caller, traceparent }) {
    refuseWebhook(body);
    const team = findTeam(gateway.teams, body.team);
    checkPayload(team.entry.accepts, body.input, "/input");
    const key = idempotencyKeyOf(request);
    const run = await startRun(gateway, {
      team: team.name,
      first: toFirst({ team, entry: await chooseEntry(gateway, team) }, body, {
        traceparent,
        tracestate: tracestateOf(request),
      }),
      payloadAt: "/input",
      idempotency:
        key === null ? null : { caller: caller?.name ?? "", key, digest: digestRequest("submitTask", body) },
    });
    return toStarted(run);
  },
});

function refuseWebhook(task: Task): void {
  if (task.webhook === undefined) return;
  throw new RequestInvalidError([
    {
      path: "/webhook",
      code: "not_available",
      message: "follow the run's events or poll with ?wait= instead",
    },
  ]);
}

function findTeam(teams: readonly Team[], name: string): Team {
  const team = teams.find((candidate) => candidate.name === name);
  if (team !== undefined) return team;
  const known = teams.map((candidate) => candidate.name).join(", ");
  throw new RequestInvalidError([
    { path: "/team", code: "unknown_team", message: `known teams are ${known || "none"}` },
  ]);
}

function toFirst(
  { team, entry }: { readonly team: Team; readonly entry: Agent },
  task: Task,
  trace: { readonly traceparent: string; readonly tracestate: string },
): RunDraft["first"] {
  const { options } = team;
  const budget = {
    ...(options.costLimit === undefined ? {} : { cost_limit: options.costLimit }),
    ...(options.tokenLimit === undefined ? {} : { token_limit: options.tokenLimit }),
    ...task.budget,
  };
  const ttlMs = task.ttl_ms ?? options.ttlMs;
  const hopsMax = task.max_hops ?? options.hopsMax;
  return {
    to: entry.id,
    contract: entry.accepts.id,
    payload: task.input,
    ...trace,
    user: { ...task.user, original_query: originalQueryOf(task.input) },
    task: {
      ...(task.priority === undefined ? {} : { priority: task.priority }),
      ...(task.constraints === undefined ? {} : { constraints: task.constraints }),
    },
    budget,
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(hopsMax === undefined ? {} : { hopsMax }),
    reason: "task submitted",
  };
}
