import type { FastifyInstance, FastifyRequest } from "fastify";
import { keepDeclared, VIEWERS } from "#shared/api";
import { abortWithClient, problemSchema, readJsonOnly, UnauthorisedError } from "#shared/http";
import { escapeHidden, isRecord, readJson } from "#shared/json";
import { answerMcp, serverOfTools } from "#shared/mcp/serve";
import type { ServedTools } from "#shared/mcp/serve";
import { callerOf } from "../api/guards/guard-requests.ts";
import { ROUTES } from "../api/routes.ts";
import type { Console } from "../console.ts";
import { operationTools } from "./tools.ts";
import type { OperationTool } from "./tools.ts";

/** Longest answer of a tool, in characters of JSON. */
const ANSWER_CHARS_MAX = 60_000;

/** Longest text of an answer, in characters; a list has a hundredth as many items. Divided until the answer fits. */
const CHARS_MAX = 20_000;
const CHARS_MIN = 100;
const DIVISOR = 5;

/** Pointers of what was left off that are told. */
const TOLD_MAX = 50;

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
      const signal = abortWithClient(reply, console.stopping);
      const tools = toolsFor(app, request, signal);
      return answerMcp({ request, reply }, () => serverOfTools(tools), {
        signal,
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
  // Without characters that steer terminals or hide words.
  const text = escapeHidden(JSON.stringify(data));
  if (text.length <= 2 * ANSWER_CHARS_MAX)
    return { content: [{ type: "text", text }], structuredContent: data };
  return refusal("The answer is too large. Ask for less: a smaller limit, or one of its parts.");
}

function toRefusal(body: unknown): ToolAnswer {
  const { success, data } = problemSchema.safeParse(body);
  if (!success) return refusal("The console could not answer.");
  const faults = data.errors.map(({ pointer, message }) => `${pointer || "/"}: ${message}`);
  return refusal(escapeHidden([data.detail, ...faults].join("\n")));
}

const refusal = (text: string): ToolAnswer => ({ content: [{ type: "text", text }], isError: true });

/** Shortens texts and lists of a JSON value until it fits, and says where. Its form stays as it is declared. */
function bounded(value: unknown): { readonly value: unknown; readonly leftOff: readonly string[] } {
  for (let chars = CHARS_MAX; ; chars /= DIVISOR) {
    const leftOff: string[] = [];
    const short = shorten(value, "", { chars, leftOff });
    if (chars / DIVISOR < CHARS_MIN || JSON.stringify(short).length <= ANSWER_CHARS_MAX)
      return { value: short, leftOff: leftOff.slice(0, TOLD_MAX) };
  }
}

function shorten(
  value: unknown,
  path: string,
  to: { readonly chars: number; readonly leftOff: string[] },
): unknown {
  const cut = <Part extends { readonly length: number; slice(from: number, to: number): Part }>(
    part: Part,
    most: number,
    of: string,
  ): Part => {
    if (part.length > most) to.leftOff.push(`${path || "/"}: ${part.length - most} ${of} left off`);
    return part.slice(0, most);
  };
  if (typeof value === "string") return cut(value, to.chars, "characters");
  if (Array.isArray(value))
    return cut(value, Math.ceil(to.chars / 100), "items").map((item, at) =>
      shorten(item, `${path}/${at}`, to),
    );
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, shorten(inner, `${path}/${name}`, to)]),
  );
}
