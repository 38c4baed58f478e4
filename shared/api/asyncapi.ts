import { z } from "zod";
import { WEBHOOK_EVENTS } from "#shared/config";
import type { WebhookEvent } from "#shared/config";
import type { Contract } from "#shared/contract";
import { envelopeSchema } from "#shared/envelope";
import { sealedMessageSchema } from "#shared/envelope/seals";
import { WEBHOOK_DATA } from "#shared/feedback";
import { CLOUD_EVENT_TYPE } from "#shared/http";
import type { Team } from "#shared/runtime";
import { runEventSchema, RUNS } from "./runs.ts";

type Json = Readonly<Record<string, unknown>>;
type Named = Readonly<Record<string, Json>>;

/** A document of AsyncAPI 3.0. */
export interface AsyncApiDocument {
  readonly asyncapi: string;
  readonly info: Json;
  readonly defaultContentType: string;
  readonly channels: Named;
  readonly operations: Named;
  readonly components: { readonly messages: Named; readonly schemas: Named };
}

const SEALED = "SealedMessage";
const ENVELOPE = "Envelope";
const RUN_EVENT = "RunEvent";
const RUN_ENDED = "run.ended";

/**
 * Describes what moves without a request: the queue of each agent with the contracts that it takes, the events of
 * runs, and webhooks. Written from the declarations of teams, the envelope and the events.
 *
 * @param prefix - Of the keys in Redis, `SUTURE_PREFIX`.
 */
export function describeEvents(teams: readonly Team[], prefix: string): AsyncApiDocument {
  const contracts = [...new Set(teams.flatMap((team) => team.contracts.all()))];
  const agents = teams.flatMap((team) => [...team.agents.values()].map((agent) => ({ team, agent })));
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Suture",
      version: "1",
      description:
        "Queues of agents in Redis (BullMQ), events of runs at the gateway (server-sent events), and webhooks. " +
        "Requests are in the gateway's OpenAPI document.",
    },
    defaultContentType: "application/json",
    channels: {
      ...Object.fromEntries(agents.map((one) => [`queue.${one.agent.name}`, describeQueue(one, prefix)])),
      runEvents: {
        address: "/v1/runs/{run_id}/events",
        description: "Server-sent events. `format=cloudevents` in the query asks for CloudEvents.",
        parameters: { run_id: { description: "From the answer that accepted the task." } },
        messages: refsTo("messages", ["run.plain", "run.cloudevents"]),
      },
      webhooks: {
        address: null,
        description: "Posted to the addresses of SUTURE_WEBHOOKS, in the form that each asks for.",
        messages: refsTo("messages", WEBHOOK_EVENTS.flatMap(namesOf)),
      },
      taskWebhooks: {
        address: null,
        description: "Posted to the `webhook` of a task when its run has ended.",
        messages: refsTo("messages", [RUN_ENDED]),
      },
    },
    operations: {
      ...Object.fromEntries(
        agents.map(({ agent }) => [`receive.${agent.name}`, operation("receive", `queue.${agent.name}`)]),
      ),
      sendRunEvents: operation("send", "runEvents"),
      sendWebhooks: operation("send", "webhooks"),
      sendTaskWebhooks: operation("send", "taskWebhooks"),
    },
    components: {
      messages: {
        ...Object.fromEntries(contracts.map((one) => [nameOf(one), describeSealed(one)])),
        "run.plain": { payload: refTo("schemas", RUN_EVENT) },
        "run.cloudevents": cloudEvent(refTo("schemas", RUN_EVENT), z.string().regex(/^suture\.run\./)),
        ...Object.assign({}, ...WEBHOOK_EVENTS.map(describeWebhook)),
        [RUN_ENDED]: cloudEvent(schemaOf(RUNS.showRun.answers[200]), z.literal(`suture.${RUN_ENDED}`)),
      },
      schemas: {
        ...schemasOf(SEALED, sealedMessageSchema),
        ...schemasOf(ENVELOPE, envelopeSchema),
        ...schemasOf(RUN_EVENT, runEventSchema),
        ...Object.assign({}, ...contracts.map((one) => schemasOf(nameOf(one), one.schema))),
      },
    },
  };
}

type DeclaredAgent = Team["agents"] extends ReadonlyMap<string, infer Agent> ? Agent : never;

/** The address is the queue's name; BullMQ needs the prefix of its keys too. */
function describeQueue(
  { team, agent }: { readonly team: Team; readonly agent: DeclaredAgent },
  prefix: string,
): Json {
  const edges = team.edges.filter(({ to }) => to === agent.name);
  const taken = new Set([agent.accepts.id, ...edges.map(({ contract }) => contract)]);
  const contracts = team.contracts.all().filter(({ id }) => taken.has(id));
  const { description } = agent.options;
  return {
    address: agent.name,
    title: `${agent.id} of the team ${team.name}`,
    ...(description === undefined ? {} : { description }),
    messages: refsTo("messages", contracts.map(nameOf)),
    "x-bullmq": { prefix: `${prefix}:{${agent.name}}` },
  };
}

/** A job's data: the envelope is signed as text, and carries the payload. */
function describeSealed(contract: Contract): Json {
  const payload = { properties: { data_payload: refTo("schemas", nameOf(contract)) } };
  const sealed = {
    contentMediaType: "application/json",
    contentSchema: { allOf: [refTo("schemas", ENVELOPE), payload] },
  };
  return {
    title: contract.id,
    payload: { allOf: [refTo("schemas", SEALED), { properties: { sealed } }] },
  };
}

const time = z.string().meta({ format: "date-time" });

const webhookHeaders = z
  .looseObject({
    "webhook-id": z.string(),
    "webhook-timestamp": z.string(),
    "webhook-signature": z.string(),
  })
  .meta({ description: "Standard Webhooks 1.0." });

function describeWebhook(event: WebhookEvent): Named {
  const data = WEBHOOK_DATA[event];
  const standard = z.looseObject({ type: z.literal(event), timestamp: time, data });
  const [plainName, cloudName] = namesOf(event);
  const headers = schemaOf(webhookHeaders);
  return {
    [plainName]: { headers, payload: schemaOf(standard) },
    [cloudName]: { headers, ...cloudEvent(schemaOf(data), z.literal(`suture.${event}`)) },
  };
}

function namesOf(event: string): [plain: string, cloud: string] {
  return [`${event}.plain`, `${event}.cloudevents`];
}

/** CloudEvents 1.0 as structured JSON. Its data are put in afterwards, because they may refer to a named schema. */
function cloudEvent(data: Json, type: z.ZodType): Json {
  const event = z.looseObject({
    specversion: z.literal("1.0"),
    id: z.string().min(1),
    source: z.string().meta({ format: "uri-reference" }),
    type,
    subject: z.string().min(1).optional(),
    time,
    datacontenttype: z.literal("application/json"),
    data: z.unknown(),
  });
  const { properties, ...schema } = schemaOf(event);
  return {
    contentType: CLOUD_EVENT_TYPE,
    payload: { ...schema, properties: { ...Object(properties), data } },
  };
}

function operation(action: "send" | "receive", channel: string): Json {
  return { action, channel: { $ref: `#/channels/${channel}` } };
}

/** Name of a contract's schema and message: `refunds.request@2` is `refunds.request.v2`; keys may have no `@`. */
function nameOf({ name, version }: Contract): string {
  return `${name}.v${version}`;
}

function refTo(part: "messages" | "schemas", name: string): Json {
  return { $ref: `#/components/${part}/${name}` };
}

function refsTo(part: "messages" | "schemas", names: readonly string[]): Named {
  return Object.fromEntries(names.map((name) => [name, refTo(part, name)]));
}

/** A schema in the dialect of AsyncAPI, with what it defines for itself as schemas of their own beside it. */
function schemasOf(name: string, schema: z.ZodType): Named {
  const text = JSON.stringify(schemaOf(schema))
    .replaceAll('"$ref":"#"', `"$ref":"#/components/schemas/${name}"`)
    .replaceAll('"$ref":"#/definitions/', `"$ref":"#/components/schemas/${name}.`);
  const { definitions = {}, ...own }: { readonly definitions?: Named } = JSON.parse(text);
  const defined = Object.entries(definitions).map(([key, one]) => [`${name}.${key}`, one]);
  return { [name]: own, ...Object.fromEntries(defined) };
}

function schemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...own } = z.toJSONSchema(schema, {
    io: "input",
    target: "draft-7",
    unrepresentable: "any",
  });
  return own;
}
