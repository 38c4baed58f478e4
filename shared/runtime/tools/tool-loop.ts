import type { Contract } from "#shared/contract";
import { ActionUndeclaredError, scopeOf } from "#shared/guard";
import { isRecord } from "#shared/json";
import { CALLS_MEMBER } from "#shared/model";
import type { RequestedCall, ToolRound } from "#shared/model";
import type { ModelRequest } from "../define/handler-context.ts";
import type { Delivery, Message } from "../deliver/delivery.ts";
import { guardToolResult } from "../deliver/guard-delivery.ts";
import { readCall } from "../deliver/model-call.ts";
import type { AskRequest, MadeCall, Round, PromptRoom } from "../deliver/model-call.ts";
import { callTool, noteSeen, recordName } from "./call-tool.ts";
import type { Tool } from "./define-tool.ts";
import { ToolDefinitionError } from "./define-tool.ts";
import { failed } from "./tool-outcome.ts";
import type { ToolProblemCode } from "./tool-outcome.ts";

/** Calls that run of one answer, and of one step. The model reads that further ones did not. */
const CALLS_PER_ROUND_MAX = 16;
const CALLS_MAX = 64;

/** Tool calls of a step's model before its answer. */
interface ToolUse {
  readonly exchange: readonly ToolRound[];
  /** The first answer without calls; null where a bound ended the rounds, and the model has yet to answer. */
  readonly answer: MadeCall | null;
}

const NOTHING: ToolUse = { exchange: [], answer: null };

/** Asks the model in rounds with tools until an answer has no calls. Records every answer and result. */
export async function useTools<C extends Contract>(
  ask: AskRequest<C>,
  callModel: (round: Round) => Promise<MadeCall>,
): Promise<ToolUse> {
  const { request, delivery } = ask;
  const offered = offeredTools(delivery, request);
  if (offered.size === 0) return NOTHING;
  const tools = [...offered.values()];
  const room = new ToolRoom(ask.room);
  const exchange: ToolRound[] = [];
  let total = 0;
  for (let round = 1; round <= (request.toolRoundsMax ?? TOOL_ROUNDS_DEFAULT); round += 1) {
    const answer = await callModel({ name: `t${round}`, tools, exchange: [...exchange] });
    const { calls = [], isCutOff = false } = answer;
    if (calls.length === 0) return { exchange, answer };
    const done = await runCalls(ask, {
      calls,
      cutAt: isCutOff ? calls.length - 1 : null,
      offered,
      room,
      round,
      runMax: CALLS_MAX - total,
    });
    total += calls.length;
    exchange.push({ text: answer.toolsBy === "prompt" ? "" : answer.text, calls: done.calls });
    if (done.isFull || total >= CALLS_MAX) break;
  }
  return { exchange, answer: null };
}

/** Notes the labels of all tools of a step whose answer was repaired, and passes their results to `seen` again. */
export function noteTools<C extends Contract>({ request, delivery, step }: AskRequest<C>): void {
  const { tools = [] } = request;
  for (const tool of tools) guardToolResult(delivery, { tool: tool.name, label: tool.taint, result: "null" });
  const { steps } = delivery.record;
  for (let round = 1; ; round += 1) {
    const answer = steps.get(`call/${step}/t${round}`);
    if (answer === undefined) return;
    for (const [index, call] of (readCall(answer).calls ?? []).entries()) {
      const result = steps.get(recordName({ place: placeOf(step, { round, index }), call }));
      const tool = tools.find(({ name }) => name === call.name);
      if (result !== undefined && tool !== undefined) noteSeen(tool, result);
    }
  }
}

function placeOf(step: string, { round, index }: { readonly round: number; readonly index: number }): string {
  return `${step}/${round}.${index}`;
}

interface RoundOfCalls {
  readonly calls: readonly RequestedCall[];
  /** The call in which the answer came to the end of its tokens. */
  readonly cutAt: number | null;
  readonly offered: ReadonlyMap<string, Tool>;
  readonly room: ToolRoom;
  readonly round: number;
  /** Calls that may still run. */
  readonly runMax: number;
}

async function runCalls<C extends Contract>(
  { delivery, step, signal, assertOpen }: AskRequest<C>,
  { calls, cutAt, offered, room, round, runMax }: RoundOfCalls,
): Promise<{ readonly calls: ToolRound["calls"]; readonly isFull: boolean }> {
  const done: ToolRound["calls"][number][] = [];
  let isFull = false;
  for (const [index, call] of calls.entries()) {
    let result: string;
    if (index >= Math.min(CALLS_PER_ROUND_MAX, runMax)) result = NOT_RUN.too_many_calls;
    else if (isFull) result = NOT_RUN.no_room;
    else if (index === cutAt && !call.arguments.trim().endsWith("}")) result = NOT_RUN.cut_off;
    else {
      const place = placeOf(step, { round, index });
      const tool = offered.get(call.name);
      result = await callTool({ delivery, place, call, tool, signal, assertOpen });
      assertOpen();
      isFull = !room.take(call.arguments + result);
      if (isFull) result = NOT_SHOWN;
    }
    done.push({ ...call, result });
  }
  return { calls: done, isFull };
}

function noResult(code: ToolProblemCode, message: string): string {
  return JSON.stringify(failed(code, message));
}

const NOT_RUN = {
  too_many_calls: noResult("too_many_calls", "This call did not run: there were too many before it."),
  cut_off: noResult(
    "cut_off",
    "This call did not run: it was cut off at the limit of tokens. Ask for less at once.",
  ),
  no_room: noResult("no_room", "This call did not run: the results before it fill the prompt. Answer now."),
};
const NOT_SHOWN = noResult("no_room", "This call ran, and its result has no room in the prompt. Answer now.");

/** Default and maximum of `toolRoundsMax`, and the tools of one step. */
const TOOL_ROUNDS_DEFAULT = 8;
const TOOL_ROUNDS_MAX = 32;
const TOOLS_MAX = 64;

/** Returns tools by name, without effects out of scope. @throws {ToolDefinitionError | ActionUndeclaredError} */
function offeredTools(
  { place, message }: Delivery & { readonly message: Message },
  {
    tools = [],
    toolRoundsMax = TOOL_ROUNDS_DEFAULT,
    answers,
  }: Pick<ModelRequest<Contract>, "tools" | "toolRoundsMax" | "answers">,
): ReadonlyMap<string, Tool> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const [first] = tools;
  if (first === undefined) return byName;
  const refuse = (problem: string): never => {
    throw new ToolDefinitionError(first.name, problem);
  };
  if (byName.size < tools.length) refuse("a step offers two tools of one name");
  if (tools.length > TOOLS_MAX) refuse(`a step offers more than ${TOOLS_MAX} tools`);
  if (!Number.isInteger(toolRoundsMax) || toolRoundsMax < 1 || toolRoundsMax > TOOL_ROUNDS_MAX)
    refuse(`toolRoundsMax is no integer from 1 to ${TOOL_ROUNDS_MAX}`);
  const { properties } = answers.jsonSchema;
  if (isRecord(properties) && Object.hasOwn(properties, CALLS_MEMBER))
    refuse(`${answers.id} has a member ${CALLS_MEMBER}, which is how calls are written`);
  const scope = scopeOf(message.envelope.meta);
  const { id: agent, options } = place.agent;
  return new Map(
    [...byName].filter(([, { effect, action }]) => {
      if (effect === "none") return true;
      if (options.guard?.mayCause?.includes(action) === false) throw new ActionUndeclaredError(agent, action);
      return scope?.includes(action) !== false;
    }),
  );
}

/** Bytes of all calls and results that one step shows its model. */
const EXCHANGE_BYTES_MAX = 256 * 1024;

/** Keeps what tools give within a prompt's bounds. */
class ToolRoom {
  private readonly room: PromptRoom | undefined;
  private bytesLeft = EXCHANGE_BYTES_MAX;
  private tokensLeft: number;

  constructor(room: PromptRoom | undefined) {
    this.room = room;
    this.tokensLeft = room?.tokens ?? Infinity;
  }

  /** Takes a text in. Returns false, and takes nothing, where there is no room for it. */
  take(text: string): boolean {
    const bytes = Buffer.byteLength(text);
    const tokens = this.room?.count(text) ?? 0;
    if (bytes > this.bytesLeft || tokens > this.tokensLeft) return false;
    this.bytesLeft -= bytes;
    this.tokensLeft -= tokens;
    return true;
  }
}
