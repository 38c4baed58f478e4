import type { FastifyInstance, FastifyRequest } from "fastify";
import { keepDeclared, VIEWERS } from "#shared/api";
import { problemSchema, readJsonOnly, UnauthorisedError } from "#shared/http";
import { isRecord, readJson } from "#shared/json";
import { answerMcp, serverOfTools } from "#shared/mcp/serve";
import type { ServedTools } from "#shared/mcp/serve";
import { callerOf } from "../api/guards/guard-requests.ts";
import { ROUTES } from "../api/routes.ts";
import type { Console } from "../console.ts";
import { ANSWER_CHARS_MAX, bounded } from "./bound.ts";
import { operationTools } from "./tools.ts";
import type { OperationTool } from "./tools.ts";

const TOOLS = operationTools(ROUTES);

type ToolAnswer = NonNullable<Awaited<ReturnType<ServedTools["call"]>>>;

/**
 * Serves operations as tools over Streamable HTTP, without sessions, for API keys alone. Each call is a request to the
 * console's own route with the key of the caller, so that role, teams, masks, refusals and audit are those of the API.
 */
export function registerMcp(app: FastifyInstance, console: Console): void {
  void app.register(async (scope) => {
    readJsonOnly(scope, console.bounds.bodyBytesMax, { stringBytesMax: console.bounds.bodyBytesMax });
    scope.post("/mcp", { config: { scopes: VIEWERS } }, async (request, reply) => {
      if (callerOf(request)?.session !== null)
        throw new UnauthorisedError("Send an API key: what an assistant proposes, a session signs.");
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      const tools = toolsFor(app, request, gone.signal);
      return answerMcp({ request, reply }, () => serverOfTools(tools), {
        signal: gone.signal,
        keepAliveMs: console.bounds.heartbeatEveryMs,
      });
    });
  });
}

/** The tools that the role of a request's caller may use; the others are refused by their operations. */
function toolsFor(app: FastifyInstance, request: FastifyRequest, signal: AbortSignal): ServedTools {
  const role = callerOf(request)?.role ?? "viewer";
  const own = TOOLS.filter(({ route }) => route.operation.scopes?.includes(role) === true);
  return {
    list: async () => own.map(({ tool }) => tool),
    call: async (name, given) => {
      const found = TOOLS.find(({ tool }) => tool.name === name);
      if (found === undefined) return null;
      const { authorization, host } = request.headers;
      const answered = await app.inject({
        ...found.toRequest(given),
        headers: { authorization, host },
        remoteAddress: request.ip,
        signal,
      });
      return answered.statusCode < 400
        ? toAnswer(found, answered.statusCode, readJson(answered.payload))
        : toRefusal(readJson(answered.payload));
    },
  };
}

function toAnswer({ route }: OperationTool, status: number, answer: unknown): ToolAnswer {
  const { value, leftOff } = bounded(keepDeclared(route.operation, { status, answer }));
  const data = { ...(isRecord(value) ? value : {}), ...(leftOff.length === 0 ? {} : { left_off: leftOff }) };
  const text = inPlainText(data);
  if (text.length <= 2 * ANSWER_CHARS_MAX)
    return { content: [{ type: "text", text }], structuredContent: data };
  return refusal("The answer is too large. Ask for less: a smaller limit, or one of its parts.");
}

function toRefusal(body: unknown): ToolAnswer {
  const { success, data } = problemSchema.safeParse(body);
  if (!success) return refusal("The console could not answer.");
  const faults = data.errors.map(({ pointer, message }) => `${pointer || "/"}: ${message}`);
  return refusal(inPlainText([data.detail, ...faults].join("\n")));
}

const refusal = (text: string): ToolAnswer => ({ content: [{ type: "text", text }], isError: true });

/** Writes JSON, or a text, without characters that steer terminals or hide words. */
function inPlainText(said: unknown): string {
  const text = typeof said === "string" ? said : JSON.stringify(said);
  const unit = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replaceAll(/[[\p{Cc}\p{Cf}]--[\n\t]]/gv, (one) => one.split("").map(unit).join(""));
}
