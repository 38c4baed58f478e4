import { createHash } from "node:crypto";
import { derivedId, now } from "#shared/clock";
import { isSurgeon } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import { isRecord } from "#shared/json";
import { dropAddedNulls } from "#shared/model";
import type { RequestedCall } from "#shared/model";
import { accountOfTool } from "../accounts/step-account.ts";
import { decisionOn } from "../deliver/healed-answer.ts";
import { assertAffordable } from "../deliver/model-call.ts";
import type { Delivery, Message } from "../deliver/delivery.ts";
import { doOnce } from "../deliver/effect.ts";
import { findUnwritable, toJsonText } from "../deliver/json-result.ts";
import { guardAction, guardToolResult, keepLabels } from "../deliver/guard-delivery.ts";
import type { CheckedOutput, PreparedCall, Tool } from "./define-tool.ts";
import { ToolProblemError, ToolTimeoutError, ToolUncertainError } from "./define-tool.ts";
import { readArguments } from "./read-calls.ts";
import { failed, withinTime } from "./tool-outcome.ts";
import type { ToolOutcome } from "./tool-outcome.ts";

/** A call, and where it belongs. */
export interface PlacedCall {
  readonly delivery: Delivery & { readonly message: Message };
  /** Place of the call in the message's work, e.g. `answer/1.0`: a re-run has the same call there. */
  readonly place: string;
  readonly call: RequestedCall;
  /** Undefined: no such tool is offered. */
  readonly tool: Tool | undefined;
  /** A person has to approve, whatever the tool says. Default false. */
  readonly needsApproval?: boolean;
  readonly signal: AbortSignal;
  readonly assertOpen: () => void;
}

/**
 * Runs a call once: from the record, else after checking arguments, budget, guard and approval. Returns JSON text.
 * @throws {ApprovalNeededError} A person has to approve it first; the message waits. {ActionTaintedError}
 * @throws {SutureError} Thrown by the tool, of a class that the runtime knows to handle.
 */
export async function callTool(placed: PlacedCall): Promise<string> {
  const { delivery, tool, call, assertOpen } = placed;
  const name = recordName(placed);
  let text = delivery.record.steps.get(name);
  if (text === undefined) {
    const startedMs = now();
    const id = `${rootIdOf(delivery)}/${digestedPlace(placed)}`;
    const outcome = await keepLabels(delivery, () => perform(placed, id));
    assertOpen();
    const { store } = delivery.place;
    const account = accountOfTool(delivery, { ...call, startedMs });
    text = await store.ledger.recordStep(delivery.hold, {
      name,
      result: toJsonText(outcome, { agent: delivery.place.agent.id, bytesMax: Infinity }),
      ...account,
    });
  }
  if (tool !== undefined) {
    guardToolResult(delivery, { tool: tool.name, label: tool.taint, result: text });
    noteSeen(tool, text);
  }
  return text;
}

/** Name under which a call's outcome is recorded. */
export function recordName(placed: Pick<PlacedCall, "place" | "call">): string {
  return `tool/${digestedPlace(placed)}`;
}

/** Bound to the call: after a change of the prompt another call may stand in its place. */
function digestedPlace({ place, call }: Pick<PlacedCall, "place" | "call">): string {
  const said = JSON.stringify([call.name, call.arguments]);
  return `${place}/${createHash("sha256").update(said).digest("hex").slice(0, 16)}`;
}

/** Passes a recorded outcome's output, if there is one, to the tool's `seen`. */
export function noteSeen(tool: Tool, recorded: string): void {
  const outcome: unknown = JSON.parse(recorded);
  if (isRecord(outcome) && outcome["status"] === "done") tool.noteSeen?.(outcome["output"]);
}

/** The message that died first, so that a discharge continues the side effects of its dead message. */
function rootIdOf({ message, hold }: PlacedCall["delivery"]): string {
  const { source_agent, original_seal } = message.envelope.meta;
  return isSurgeon(source_agent) ? (original_seal?.message_id ?? hold.messageId) : hold.messageId;
}

async function perform(placed: PlacedCall, id: string): Promise<ToolOutcome> {
  const { delivery, tool, call, place } = placed;
  if (tool === undefined) return failed("unknown_tool", "There is no such tool.");
  const written = readArguments(call.arguments);
  if (written === undefined)
    return failed("bad_arguments", "The arguments are not one JSON object, or too long.");
  // Strict mode writes null for an optional field that is left out.
  const given = dropAddedNulls(written, tool.jsonSchema);
  const prepared = tool.prepare(given);
  if ("issues" in prepared)
    return failed("bad_arguments", "The arguments do not fit the tool.", prepared.issues);
  assertAffordable(delivery);
  const key = `${tool.action}:${prepared.key ?? id}`;
  if (tool.effect === "write") guardAction(delivery, { key, options: { action: tool.action } });
  if (prepared.needsApproval || placed.needsApproval === true) {
    const decision = decisionOn(delivery, { call_id: place, tool: tool.name, arguments: given });
    if (!decision.approved) return { status: "refused", note: decision.note };
  }
  return run(placed, { tool, prepared, key });
}

interface ReadyCall {
  readonly tool: Tool;
  readonly prepared: PreparedCall;
  readonly key: string;
}

async function run(placed: PlacedCall, ready: ReadyCall): Promise<ToolOutcome> {
  const { delivery, signal } = placed;
  const { tool } = ready;
  try {
    return await withinTime((both) => (tool.effect === "write" ? write : read)(placed, ready, both), {
      signal,
      timeoutMs: tool.timeoutMs,
      toError: () => new ToolTimeoutError(tool.name, tool.timeoutMs),
    });
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ToolProblemError) return failed("tool_failed", error.message);
    if (tool.effect === "write") throw error;
    if (error instanceof ToolTimeoutError) return failed("timed_out", error.message);
    if (error instanceof SutureError) throw error;
    // The words of a foreign error may hold secrets: the model reads none, and the log has its name alone.
    delivery.place.logger.warn(
      { agent: delivery.place.agent.id, tool: tool.name, error: error instanceof Error ? error.name : "" },
      "a tool threw: the model is told that it failed",
    );
    return failed("tool_failed", "The tool failed.");
  }
}

async function read(
  { delivery }: PlacedCall,
  { tool, prepared, key }: ReadyCall,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const idempotencyKey = derivedId("tool", delivery.place.agent.name, key);
  const outcome = shown(await prepared.run({ signal, idempotencyKey }), bytesMaxOf(delivery, tool));
  return outcome.status === "done" && outcome.problem !== undefined
    ? failed(outcome.problem, PROBLEMS[outcome.problem])
    : outcome;
}

/** Runs a side effect once: the recorded value is the outcome, so that a result that cannot be shown is no retry. */
async function write(
  { delivery, assertOpen }: PlacedCall,
  { tool, prepared, key }: ReadyCall,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const { agent, limits } = delivery.place;
  const { reconcile, action, scope } = tool;
  const bytesMax = bytesMaxOf(delivery, tool);
  // An effect whose signal is aborted keeps its claim, so that it is not repeated blindly.
  const uncertain = new AbortController();
  return doOnce<ToolOutcome>({
    delivery,
    key,
    act: async (idempotencyKey, both) => {
      try {
        return shown(await prepared.run({ signal: both, idempotencyKey }), bytesMax);
      } catch (error) {
        if (error instanceof ToolUncertainError) uncertain.abort(error);
        throw error;
      }
    },
    options: {
      action,
      scope,
      ...(reconcile === undefined
        ? {}
        : {
            reconcile: async (idempotencyKey, both) => {
              const found = await reconcile(idempotencyKey, both);
              return found.done
                ? { done: true, value: shown({ ok: true, value: found.value }, bytesMax) }
                : found;
            },
          }),
    },
    signal: AbortSignal.any([signal, uncertain.signal]),
    assertOpen,
    owner: { agent: agent.id, bytesMax: limits.resultBytesMax },
  });
}

const PROBLEMS: Readonly<Record<"bad_output" | "output_too_large", string>> = {
  bad_output: "The tool's result has not the form that it should have.",
  output_too_large: "The result is too large to be shown: ask for less.",
};

type Shown = { readonly status: "done"; readonly output: unknown; readonly problem?: keyof typeof PROBLEMS };

function shown(checked: CheckedOutput, bytesMax: number): Shown {
  if (!checked.ok) return { status: "done", output: null, problem: "bad_output" };
  const output = checked.value ?? null;
  // The record refuses it, and names the place.
  if (findUnwritable(output) !== null) return { status: "done", output };
  if (Buffer.byteLength(JSON.stringify(output)) > bytesMax)
    return { status: "done", output: null, problem: "output_too_large" };
  return { status: "done", output };
}

/** Room for what stands around an output in the recorded step. */
const OUTCOME_BYTES = 256;

function bytesMaxOf({ place }: Delivery, tool: Tool): number {
  return Math.min(tool.outputBytesMax, place.limits.resultBytesMax - OUTCOME_BYTES);
}
