import { types } from "node:util";
import { homedir } from "node:os";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { timestamp } from "#shared/clock";
import { FAILURE_CLASSES, SEVERITIES, SutureError } from "#shared/errors";
import type { Failure, FailureClass, Issue, Severity } from "#shared/errors";
import { bounded, ISSUES_MAX, readIssues } from "./read-issues.ts";

/** Context of a failure for its record. */
interface FailureScene {
  readonly agent: string;
  readonly contract: string | null;
  readonly direction: Failure["direction"];
  readonly step?: string | null;
  readonly model?: string | null;
  readonly promptVersion?: string | null;
}

export const MESSAGE_CHARACTERS_MAX = 1000;

/** Converts anything thrown to a bounded failure record. Never throws; only a SutureError sets its class, no text. */
export function toFailure(thrown: unknown, scene: FailureScene): Failure {
  const described = readThrown(thrown);
  return {
    ...described,
    message: hideSecrets(described.message).slice(0, MESSAGE_CHARACTERS_MAX),
    direction: scene.direction,
    agent: scene.agent,
    contract: scene.contract,
    step: scene.step ?? null,
    model: scene.model ?? null,
    prompt_version: scene.promptVersion ?? null,
    at: timestamp(),
  };
}

interface ThrownFields {
  readonly failure_class: FailureClass;
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  readonly severity: Severity;
  readonly issues: readonly Issue[];
  readonly stack?: readonly string[];
}

/** Returns a value that is safe to inspect: itself, or an Error in place of a proxy, whose traps may throw. */
export function toReadable(thrown: unknown): unknown {
  let at: unknown = thrown;
  while ((typeof at === "object" && at !== null) || typeof at === "function") {
    if (types.isProxy(at)) return new Error(UNREADABLE);
    at = Object.getPrototypeOf(at);
  }
  return thrown;
}

const UNREADABLE = "an error that cannot be read";

function readThrown(thrown: unknown): ThrownFields {
  try {
    const readable = toReadable(thrown);
    const fields = readable instanceof SutureError ? fromSutureError(readable) : describe(readable);
    return { ...fields, ...stackOf(readable, fields) };
  } catch {
    return fromForeign(UNREADABLE);
  }
}

/** Only what the agent's code threw has a place in it. */
function stackOf(error: unknown, { failure_class }: ThrownFields): Pick<ThrownFields, "stack"> {
  if (failure_class !== "handler_error" || !(error instanceof Error)) return {};
  const stack = orNone(() => readStack(error)).map(hideSecrets);
  return stack.length === 0 ? {} : { stack };
}

/** Reads what is only an addition: an error without it is described as far as it can be read. */
function orNone<Item>(read: () => readonly Item[]): readonly Item[] {
  try {
    return read();
  } catch {
    return [];
  }
}

/** Reads each field once and keeps a plain value: a getter may throw, or return something else the next time. */
function fromSutureError(error: SutureError): ThrownFields {
  const { failureClass, severity } = error;
  if (!FAILURE_CLASSES.includes(failureClass) || !SEVERITIES.includes(severity))
    return fromForeign(UNREADABLE);
  return {
    failure_class: failureClass,
    code: toText(error.code),
    message: toText(error.message),
    remedy: toText(error.remedy),
    severity,
    issues: error.issues.slice(0, ISSUES_MAX).map(bounded),
  };
}

/** Converts a field that is typed as text but may be anything in an error made elsewhere. May throw. */
function toText(value: unknown): string {
  return String(value);
}

function fromForeign(what: string, issues: readonly Issue[] = []): ThrownFields {
  return {
    failure_class: "handler_error",
    code: "HANDLER_THREW",
    message: `The agent's code threw ${what}.`,
    remedy:
      "Look at the agent's log for this message; correct the agent or its input and release the message.",
    severity: "recoverable",
    issues,
  };
}

const ISSUES_SHOWN = 3;

/** Describes what is no error of ours. May throw. */
function describe(thrown: unknown): ThrownFields {
  if (!(thrown instanceof Error))
    return fromForeign(
      typeof thrown === "string" ? `the text "${thrown}"` : `a value of type ${typeof thrown}`,
    );
  const issues = orNone(() => readIssues(thrown));
  const shown = issues.slice(0, ISSUES_SHOWN).map(({ path, message }) => `${path || "/"}: ${message}`);
  return fromForeign(`${thrown.name}: ${shown.join("; ") || thrown.message}`, issues);
}

/** Patterns of secrets: key-like words, bearer tokens, passwords in URLs and long opaque strings. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sk|pk|rk|ghp|gho|xox[abp])[-_][A-Za-z0-9_-]{8,}/g, "[secret]"],
  [/\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/gi, "Bearer [secret]"],
  [/(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:]{0,200}:[^\s/@]{1,200}@/gi, "$1[secret]@"],
  [
    /\b((?:api[-_ ]?key|token|password|passwd|secret|authorization)\b["']?\s*[:=]\s*["']?)[^\s"',;]{4,}/gi,
    "$1[secret]",
  ],
];

/** Redacts what looks like a secret in a text for a record. Linear, and bounded in size. */
export function hideSecrets(text: string): string {
  let redacted = text.slice(0, MESSAGE_CHARACTERS_MAX * 4);
  for (const [pattern, replacement] of SECRETS) redacted = redacted.replace(pattern, replacement);
  return redacted;
}

const FRAMES_MAX = 8;
const FRAME_CHARACTERS_MAX = 200;
const STACK_CHARACTERS_MAX = 32_768;
/** `at NAME (PLACE:LINE:COLUMN)`, or without a name. A name with spaces is data: it is left out. */
const FRAME =
  /^ {4}at (?:async )?(?:new )?(?:([\w$.#<>]{1,100}) (?:\[as [^\]]{1,100}\] )?\(|[^()]{0,200}\()?([^()]{1,500}:\d+:\d+)\)?$/;

/** Returns up to 8 places that an error came through, such as `handle (team/refunds.ts:14:22)`. May throw. */
export function readStack(error: Error): readonly string[] {
  const { stack: whole, message }: { readonly stack?: unknown; readonly message: unknown } = error;
  if (typeof whole !== "string" || typeof message !== "string") return [];
  const stack = whole.slice(0, STACK_CHARACTERS_MAX);
  // A message may look like frames; only what stands after it is the engine's.
  const at = message === "" ? -1 : stack.indexOf(message);
  const lines = stack.slice(at === -1 ? 0 : at + message.length).split("\n");
  const frames = lines.slice(lines.findLastIndex((line) => !line.startsWith("    at ")) + 1).flatMap(toFrame);
  const isOwn = (frame: string): boolean => !/node_modules\/|\(node:|^node:/.test(frame);
  return [...frames.filter(isOwn), ...frames.filter((frame) => !isOwn(frame))].slice(0, FRAMES_MAX);
}

function toFrame(line: string): string[] {
  const found = FRAME.exec(line);
  if (found === null) return [];
  const [, name, place = ""] = found;
  const file = shorten(place);
  return [(name === undefined ? file : `${name} (${file})`).slice(0, FRAME_CHARACTERS_MAX)];
}

/** Names a file from the working folder or its package on, because folders above may name a person. */
function shorten(place: string): string {
  const path = place.startsWith("file:///") ? fileURLToPath(place) : place;
  const inPackage = path.lastIndexOf("node_modules/");
  if (inPackage !== -1) return path.slice(inPackage);
  if (!path.startsWith("/")) return path;
  const inside = relative(process.cwd(), path);
  return inside.startsWith("..") ? path.replace(homedir(), "~") : inside;
}

const MESSAGE_CHARS_MAX = 4096;

/** Returns an error message without ids, numbers, addresses and quoted text, for comparing it with others. */
export function withoutParticulars(message: string): string {
  return message
    .slice(0, MESSAGE_CHARS_MAX)
    .toLowerCase()
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, "<text>")
    .replaceAll(/\S+@\S+\.\S+/g, "<address>")
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, "<id>")
    .replaceAll(/\b(?=[a-z0-9_-]*\d)[a-z0-9_-]{6,}\b/g, "<id>")
    .replaceAll(/\d+(?:[.,]\d+)*/g, "<n>")
    .replaceAll(/\s+/g, " ")
    .trim();
}
