import { z } from "zod";
import type { ResumableTool } from "#shared/context";
import { toIssues } from "#shared/contract";
import { SutureError, defineError } from "#shared/errors";
import type { Issue } from "#shared/errors";
import type { JsonSchema } from "#shared/json";
import { failed, withinTime } from "./tool-outcome.ts";

/** Options of `ctx.once`: how its side effect is named, shared, guarded and reconciled. */
export interface OnceOptions<Value> {
  /**
   * Sharers of the idempotency key. `run`: the messages of one run at this agent. `agent`: all messages of this agent
   * in every run, until the retention is over; they share results, so the key must name everything that the result
   * depends on (an order, a file's digest). Default: `run`.
   */
  readonly scope?: "run" | "agent";
  /** Action name for the agent's guard. Default: the key up to its first colon. */
  readonly action?: string;
  /** JSON pointers to the parts of the payload that it uses, for the guard's `refusesTaint`. Default: all. */
  readonly uses?: readonly string[];
  /** Asks the provider after a crash whether it happened. Default: none; then it is quarantined for a person. */
  readonly reconcile?: (
    idempotencyKey: string,
    signal: AbortSignal,
  ) => Promise<{ readonly done: true; readonly value: Value } | { readonly done: false }>;
}

/** Second argument of a tool's `call`, besides its input. */
interface ToolCallContext {
  /** Aborted with the delivery, and when the tool's time is up. Pass it to everything that waits. */
  readonly signal: AbortSignal;
  /** The same for every attempt of this call. Pass it to the external system that a `write` changes. */
  readonly idempotencyKey: string;
}

interface ToolOptions<Input extends z.ZodType, Output extends z.ZodType> {
  /** Purpose of the tool and when to use it, for the model. 1 to 1,024 characters. */
  readonly description: string;
  /** Arguments: an object. Checked before `call`; a model that breaks it reads what is wrong. */
  readonly input: Input;
  /** Result. Checked after `call`. */
  readonly output: Output;
  /** `write`: a side effect, which happens once per call, under the agent's guard. `none`: it only reads. */
  readonly effect: "none" | "write";
  /** True, or a test of the input: a person has to approve a call before it runs. Default: never. */
  readonly approval?: boolean | ((input: z.output<Input>) => boolean);
  /** Action name of a `write` for the agent's guard. Default: the tool's name. */
  readonly action?: string;
  /** Taint label of the result, where it is text from outside. Default: none. */
  readonly taint?: string;
  /** Key that makes two calls one side effect, e.g. an order's number. Default: each call is one of its own. */
  readonly key?: (input: z.output<Input>) => string;
  /** Sharers of `key`: see `ctx.once`. Default `run`. */
  readonly scope?: "run" | "agent";
  /** Asks the provider whether a `write` happened, after a crash left that open: see `ctx.once`. Default: none. */
  readonly reconcile?: OnceOptions<z.output<Output>>["reconcile"];
  /** Time limit of one call, in ms. Default 30,000. */
  readonly timeoutMs?: number;
  /** Maximum size of a result as JSON text, in bytes. Default 16 KiB; never more than a step's result. */
  readonly outputBytesMax?: number;
  /** Called with each shown result, before the next answer; a re-run calls it with the recorded ones. Default: none. */
  readonly seen?: (output: z.output<Output>) => void;
  /** Does the work. Throw `ToolProblemError` to tell the model why it cannot be done. */
  readonly call: (
    input: z.output<Input>,
    context: ToolCallContext,
  ) => Promise<z.input<Output>> | z.input<Output>;
}

/** Output of `call`, held against the tool's `output`. */
export type CheckedOutput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A call with valid arguments. */
export interface PreparedCall {
  readonly needsApproval: boolean;
  /** Key under which two calls are the same side effect. Null: each call is one of its own. */
  readonly key: string | null;
  run(context: ToolCallContext): Promise<CheckedOutput>;
}

/** Something that a model may call, or that continues an open call. Made by `tool`. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly jsonSchema: JsonSchema;
  readonly effect: "none" | "write";
  readonly action: string;
  readonly taint: string | null;
  readonly scope: "run" | "agent";
  readonly timeoutMs: number;
  readonly outputBytesMax: number;
  readonly reconcile: ToolOptions<z.ZodType, z.ZodType>["reconcile"];
  /** Passes an output that the model is shown to the declaration's `seen`. Default: nothing is done. */
  noteSeen?(output: unknown): void;
  /** Checks arguments. Gives what is wrong with them, or the call. */
  prepare(given: unknown): PreparedCall | { readonly issues: readonly Issue[] };
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const LABEL = /^[a-z][a-z0-9_.:-]{0,63}$/i;
const DESCRIPTION_CHARACTERS_MAX = 1024;
export const TOOL_TIMEOUT_MS = 30_000;
export const TOOL_OUTPUT_BYTES_MAX = 16 * 1024;

/**
 * Declares a tool for `ctx.model` and for open calls.
 *
 * @param name - A letter, then up to 63 letters, digits, `_` and `-`.
 * @throws {ToolDefinitionError} The name, the description or a bound is malformed, or the input is no object.
 * @example tool("add", { description: "Adds.", input: z.object({ a: z.number(), b: z.number() }),
 *   output: z.number(), effect: "none", call: ({ a, b }) => a + b })
 */
export function tool<Input extends z.ZodType, Output extends z.ZodType>(
  name: string,
  options: ToolOptions<Input, Output>,
): Tool {
  checkOptions(name, options);
  const { description, input, output, effect, approval = false, key } = options;
  return {
    name,
    description,
    jsonSchema: toJsonSchema(name, input),
    effect,
    action: options.action ?? name,
    taint: options.taint ?? null,
    scope: options.scope ?? "run",
    timeoutMs: options.timeoutMs ?? TOOL_TIMEOUT_MS,
    outputBytesMax: options.outputBytesMax ?? TOOL_OUTPUT_BYTES_MAX,
    reconcile: options.reconcile,
    noteSeen: (recorded) => {
      const parsed = output.safeParse(recorded);
      if (parsed.success) options.seen?.(parsed.data);
    },
    prepare: (given) => {
      const parsed = input.safeParse(given);
      if (!parsed.success) return { issues: toIssues(parsed.error) };
      return {
        needsApproval: typeof approval === "function" ? approval(parsed.data) : approval,
        key: key?.(parsed.data) ?? null,
        run: async (context) => {
          const checked = output.safeParse(await options.call(parsed.data, context));
          return checked.success
            ? { ok: true, value: checked.data }
            : { ok: false, issues: toIssues(checked.error) };
        },
      };
    },
  };
}

function checkOptions(name: string, options: ToolOptions<z.ZodType, z.ZodType>): void {
  const { description, action = name, taint, timeoutMs = 1, outputBytesMax = 1 } = options;
  const refuse = (problem: string): never => {
    throw new ToolDefinitionError(name, problem);
  };
  if (!NAME.test(name)) refuse("its name is not a letter and up to 63 letters, digits, _ and -");
  if (description.trim() === "" || description.length > DESCRIPTION_CHARACTERS_MAX)
    refuse(`its description has not 1 to ${DESCRIPTION_CHARACTERS_MAX} characters`);
  if (!LABEL.test(action)) refuse("its action is no word");
  if (taint !== undefined && !LABEL.test(taint)) refuse("its taint label is no word");
  if (!(timeoutMs > 0)) refuse("timeoutMs is not above 0");
  if (!(outputBytesMax > 0)) refuse("outputBytesMax is not above 0");
}

function toJsonSchema(name: string, input: z.ZodType): JsonSchema {
  let schema: JsonSchema;
  try {
    schema = z.toJSONSchema(input, { io: "input", unrepresentable: "throw" });
  } catch {
    throw new ToolDefinitionError(name, "its input has a type that JSON Schema cannot say");
  }
  if (schema["type"] !== "object") throw new ToolDefinitionError(name, "its input is no object");
  return schema;
}

/**
 * Returns tools in the form in which `resumeCalls` continues open calls with them: the arguments, which another agent
 * or a client wrote, are checked, and the tool's own rule of approval holds for every call.
 */
export function resumable(tools: readonly Tool[]): Readonly<Record<string, ResumableTool>> {
  const names = new Set(tools.map(({ name }) => name));
  const [first] = tools;
  if (first !== undefined && names.size < tools.length)
    throw new ToolDefinitionError(first.name, "two tools have one name");
  return Object.fromEntries(tools.map((one) => [one.name, toResumable(one)]));
}

function toResumable(one: Tool): ResumableTool {
  return {
    ...(one.effect === "write" ? { action: one.action } : {}),
    needsApproval: (call) => {
      const prepared = one.prepare(call.arguments);
      return "needsApproval" in prepared && prepared.needsApproval;
    },
    run: async (call, { signal, idempotencyKey }) => {
      const prepared = one.prepare(call.arguments);
      if ("issues" in prepared)
        return failed("bad_arguments", "The arguments do not fit the tool.", prepared.issues);
      const checked = await withinTime(
        (both) => prepared.run({ signal: both, idempotencyKey: idempotencyKey ?? call.call_id }),
        { signal, timeoutMs: one.timeoutMs, toError: () => new ToolTimeoutError(one.name, one.timeoutMs) },
      );
      return checked.ok ? checked.value : failed("bad_output", "The result has another form than it should.");
    },
  };
}

/** A tool, or the list that a step offers, cannot be used. A bug of its author. */
export class ToolDefinitionError extends defineError((name: string, problem: string) => ({
  code: "TOOL_DEFINITION",
  failureClass: "handler_error",
  severity: "fatal",
  message: `Tool ${name.slice(0, 64)} cannot be used: ${problem}.`,
  remedy: "Correct the tool's declaration and start again.",
})) {}

/**
 * A tool cannot do what was asked, and nothing happened. Thrown by a tool's author: the model reads the message as the
 * call's result and goes on. Any other error of a tool that writes ends the delivery, which is tried again.
 */
export class ToolProblemError extends SutureError {
  /** @param message - For the model: at most 1,000 characters, without secrets. */
  constructor(message: string) {
    super({
      code: "TOOL_PROBLEM",
      failureClass: "content_error",
      message: message.slice(0, 1000),
      remedy: "Look at the call's arguments; inside a tool call the model reads this message and goes on.",
    });
  }
}

/** Thrown by a tool's author: a `write` broke off, and is not repeated before `reconcile` or a person has found out. */
export class ToolUncertainError extends SutureError {
  /** @param message - What broke off; without secrets. */
  constructor(message: string) {
    super({
      code: "TOOL_UNCERTAIN",
      failureClass: "unavailable",
      message: message.slice(0, 1000),
      remedy:
        "The tool's reconcile is asked; without one a person has to find out whether the effect happened.",
    });
  }
}

/** A tool exceeded its time limit. Of a tool that writes, nobody knows whether the effect happened. */
export class ToolTimeoutError extends defineError((name: string, timeoutMs: number) => ({
  code: "TOOL_TIMEOUT",
  failureClass: "timeout",
  message: `Tool ${name} gave no result within ${timeoutMs} ms.`,
  remedy: "Pass the signal to everything that waits, or raise the tool's timeoutMs.",
})) {}
