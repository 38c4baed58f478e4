import type { IncomingMessage, ServerResponse } from "node:http";
import type { Contract } from "#shared/contract";
import type { JsonSchema } from "#shared/json";
import { toStrictSchema } from "#shared/model";
import type { ModelImage } from "#shared/model";
import { writeXml, writeXmlForm } from "#shared/repair";
import type { Agent, Team } from "#shared/runtime";
import { openHttp, refuseRequest } from "#shared/testing";
import { fillNulls } from "../../services/rehearsal/answer-completion.ts";

/** One request as the endpoint saw it. */
export interface SeenRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: CompletionRequest;
  readonly schemaName: string;
}

export interface CompletionRequest {
  readonly model: string;
  /** `content` is a message's text; pictures stand beside it. */
  readonly messages: readonly {
    readonly role: string;
    readonly content: string;
    readonly images?: readonly ModelImage[];
    readonly tool_calls?: readonly SentCall[];
    readonly tool_call_id?: string;
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly strict?: boolean } }[];
  readonly response_format?: {
    readonly json_schema?: { readonly name: string; readonly strict?: boolean; readonly schema: JsonSchema };
  };
}

interface SentCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The endpoint's reaction to a request: an answer's text, or anything else with the raw response. */
export type Behaviour = (request: SeenRequest) => string | null | ((response: ServerResponse) => unknown);

/**
 * An OpenAI-compatible endpoint of the tests' own, and not the rehearsal's. It enforces the documented rules of
 * requests: one that breaks them is answered 400. It answers by `behave`; what that leaves (null) is answered like a
 * good model would in strict mode, by the agent whose answer contract the schema names.
 */
export interface ModelEndpoint {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Requests that it answered 400, and what it said. */
  readonly refused: object[];
  behave: Behaviour;
  readonly close: () => void;
}

export async function startModelEndpoint(
  teams: readonly Team[],
  at?: { readonly host: string; readonly port: number },
): Promise<ModelEndpoint> {
  const agents = teams.flatMap((team) => [...team.agents.values()]);
  const contracts = agents.flatMap(({ options }) => options.answers ?? []);
  const endpoint = { seen: [] as SeenRequest[], refused: [] as object[], behave: (() => null) as Behaviour };
  const answer = async (request: IncomingMessage, response: ServerResponse, text: string): Promise<void> => {
    const refusal = refuseRequest(JSON.parse(text));
    if (refusal !== null) {
      endpoint.refused.push(refusal);
      response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify(refusal));
      return;
    }
    const body = readRequest(text);
    const schemaName = body.response_format?.json_schema?.name ?? spelledOutIn(contracts, body) ?? "";
    const seen = { headers: request.headers, body, schemaName };
    endpoint.seen.push(seen);
    const behaviour = endpoint.behave(seen) ?? (await honestAnswer(agents, seen));
    if (typeof behaviour === "function") behaviour(response);
    else complete(response, { text: behaviour, model: body.model });
  };
  const { url, close } = await openHttp(answer, at);
  return Object.assign(endpoint, { url: `${url}/v1`, close });
}

const TOKENS = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

/** Sends a finished completion. @param answer.calls - Tool calls instead. @param answer.isCutOff - At its tokens. */
export function complete(
  response: ServerResponse,
  answer: {
    readonly text: string | null;
    readonly model: string;
    readonly calls?: readonly unknown[];
    readonly isCutOff?: boolean;
    readonly usage?: object;
  },
): void {
  const { text, model, calls, isCutOff = false, usage = TOKENS } = answer;
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      id: "chatcmpl-test",
      object: "chat.completion",
      created: 1,
      model,
      choices: [
        {
          index: 0,
          finish_reason: isCutOff ? "length" : calls === undefined ? "stop" : "tool_calls",
          message: {
            role: "assistant",
            content: text,
            refusal: null,
            ...(calls === undefined ? {} : { tool_calls: calls }),
          },
        },
      ],
      usage,
    }),
  );
}

interface Part {
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

/** A request as it came, with the parts of each message's content put together. */
function readRequest(text: string): CompletionRequest {
  const { messages, ...rest } = JSON.parse(text) as Omit<CompletionRequest, "messages"> & {
    readonly messages: readonly {
      readonly role: string;
      readonly content: string | readonly Part[] | null;
      readonly tool_calls?: readonly SentCall[];
      readonly tool_call_id?: string;
    }[];
  };
  const read = messages.map(({ content, ...message }) => {
    const { role } = message;
    if (typeof content === "string" || content === null) return { ...message, content: content ?? "" };
    const images = content.flatMap(({ image_url: image }) =>
      image === undefined ? [] : [toImage(image.url)],
    );
    return { role, content: content.map((part) => part.text ?? "").join(""), images };
  });
  return { ...rest, messages: read };
}

function toImage(url: string): ModelImage {
  const [head = "", data = ""] = url.split(",");
  const mimeType = head.includes("image/png") ? "image/png" : "image/jpeg";
  return { mimeType, bytes: Buffer.from(data, "base64") };
}

async function honestAnswer(agents: readonly Agent[], { body, schemaName }: SeenRequest): Promise<string> {
  const asked = body.messages.find((message) => message.role === "user");
  const format = body.response_format?.json_schema;
  const input: unknown = JSON.parse(asked?.content ?? "null");
  for (const agent of agents) {
    const contract = (agent.options.answers ?? []).find(
      (one) => sanitizeName(one.id) === schemaName || isAskedInXml(one, body),
    );
    if (contract === undefined) continue;
    for (const standIn of Object.values(agent.options.standIns ?? {})) {
      const value = await tryStandIn(standIn as AnyStandIn, { input, images: asked?.images ?? [] });
      if (!contract.schema.safeParse(value).success) continue;
      if (contract.options.answersIn === "xml") return writeXml(JSON.parse(JSON.stringify(value)));
      return JSON.stringify(format?.strict === true ? fillNulls(value, format.schema) : value);
    }
  }
  return "I cannot help with that.";
}

/** Returns true where the instructions describe the contract's answer in XML; no schema is sent then. */
function isAskedInXml({ options, jsonSchema }: Contract, { messages }: CompletionRequest): boolean {
  return (
    options.answersIn === "xml" && messages.some(({ content }) => content.includes(writeXmlForm(jsonSchema)))
  );
}

/** Name of the contract whose schema stands in the instructions: beside tools it is sent in words. */
function spelledOutIn(contracts: readonly Contract[], { messages }: CompletionRequest): string | undefined {
  const instructions = messages.find(({ role }) => role === "system")?.content ?? "";
  const asked = contracts.find(({ jsonSchema }) =>
    instructions.includes(JSON.stringify(toStrictSchema(jsonSchema).schema)),
  );
  return asked === undefined ? undefined : sanitizeName(asked.id);
}

function sanitizeName(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}

type AnyStandIn = (input: unknown, random: () => number, images: readonly ModelImage[]) => unknown;

async function tryStandIn(
  standIn: AnyStandIn,
  { input, images }: { readonly input: unknown; readonly images: readonly ModelImage[] },
): Promise<unknown> {
  try {
    return await standIn(input, () => 0.5, images);
  } catch {
    return undefined;
  }
}
