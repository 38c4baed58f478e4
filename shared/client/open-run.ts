import { ResultTimedOutError, RunNotCompletedError } from "./errors.ts";
import { ATTEMPT_MS, growingPause, pause, readJson, sendRequest } from "./send-request.ts";
import type { Gateway } from "./send-request.ts";
import type { RunEvent, RunSummary, RunView } from "./types.ts";

export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. The run goes on. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

export interface WaitOptions extends CallOptions {
  /** Time to wait for the run's end, in ms. Default 600,000. */
  readonly timeoutMs?: number;
}

/** A run of a team. */
export interface Run<Result = unknown> {
  readonly id: string;
  /**
   * Waits for the run's end and returns its result. A key that does not own the run (scope viewer, or another tenant's
   * operator) gets the text `[sensitive]` instead, whatever the type, of a team that marks personal data.
   *
   * @throws {RunNotCompletedError} It failed, was cancelled or expired.
   * @throws {ResultTimedOutError}
   */
  result(options?: WaitOptions): Promise<Result>;
  /** Follows the run's events to its end, each once, over broken connections; leaving the loop closes it. */
  events(options?: CallOptions): AsyncGenerator<RunEvent, void, undefined>;
  /** Returns the run as it is now, with its hops. */
  show(options?: CallOptions): Promise<RunView>;
  /** Asks for the run's end. Needs a key of scope operator. A run that has ended stays as it is. */
  cancel(options?: CallOptions): Promise<RunSummary>;
}

const RESULT_MS_MAX = 600_000;
/** Of one long poll, in s. */
const WAIT_S_MAX = 30;
/** An answer may come this much later than the poll's end, in ms. */
const LATE_MS = 1000;
/** Between two polls, in ms: a gateway that stops answers at once. */
const POLL_PAUSE_MS = 100;
/** Silence on a stream after which its connection is taken for dead, in ms. Heartbeats come every 15 s. */
const SILENCE_MS_MAX = 60_000;

const WAITING: ReadonlySet<string> = new Set(["queued", "running", "in_ward", "quarantined"]);

/** Returns a handle on a run; nothing is sent before one of its functions is called. */
export function openRun<Result>(gateway: Gateway, id: string): Run<Result> {
  const path = `v1/runs/${encodeURIComponent(id)}`;
  return {
    id,
    async result(options = {}) {
      const run = await waitForEnd(gateway, path, options);
      if (run.status !== "completed") throw new RunNotCompletedError(run);
      // The gateway checked it against the contract that the team declares.
      return run.result as Result;
    },
    events: ({ signal } = {}) => follow(gateway, `${path}/events`, signal),
    show: ({ signal } = {}) => sendRequest(gateway, { path, signal }, readJson<RunView>),
    cancel: ({ signal } = {}) =>
      sendRequest(gateway, { method: "POST", path: `${path}/cancel`, signal }, readJson<RunSummary>),
  };
}

async function waitForEnd(
  gateway: Gateway,
  path: string,
  { signal, timeoutMs = RESULT_MS_MAX }: WaitOptions,
): Promise<RunView> {
  const untilMs = performance.now() + timeoutMs;
  for (;;) {
    const leftMs = Math.max(0, untilMs - performance.now());
    const wait = Math.min(WAIT_S_MAX, leftMs / 1000);
    const attemptMs = Math.min(wait * 1000 + ATTEMPT_MS, leftMs + LATE_MS);
    const retryForMs = Math.min(gateway.retryForMs, leftMs);
    const call = { path: `${path}?wait=${wait.toFixed(3)}`, signal, attemptMs };
    const run = await sendRequest({ ...gateway, retryForMs }, call, readJson<RunView>);
    if (!WAITING.has(run.status)) return run;
    if (performance.now() >= untilMs) throw new ResultTimedOutError(run.run_id, timeoutMs);
    await pause(POLL_PAUSE_MS, signal);
  }
}

async function* follow(
  gateway: Gateway,
  path: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunEvent, void, undefined> {
  let last = -1;
  for (let attempt = 0; ; attempt += 1) {
    const headers = last < 0 ? {} : { "last-event-id": String(last) };
    const reply = await sendRequest(gateway, { path, headers, signal }, async (answer) => answer);
    if (reply.status === 204 || reply.body === null) return;
    for await (const { id, event, data } of readEvents(chunksOf(reply.body))) {
      if (event === "end") return;
      const position = Number(id);
      if (position <= last) continue;
      last = position;
      attempt = 0;
      // The description of the API declares what a stream of events holds.
      yield JSON.parse(data) as RunEvent;
    }
    signal?.throwIfAborted();
    await pause(growingPause(attempt), signal);
  }
}

/** Ends where the stream ends, breaks off or falls silent. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const stop = (): Promise<void> => reader.cancel().catch(() => undefined);
  try {
    for (;;) {
      const timer = setTimeout(() => void stop(), SILENCE_MS_MAX);
      const piece = await reader
        .read()
        .catch(() => null)
        .finally(() => clearTimeout(timer));
      if (piece?.value === undefined) return;
      yield piece.value;
    }
  } finally {
    await stop();
  }
}

/** One server-sent event. */
export interface ServerEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** One event is no longer than this, in characters; a stream that sends more is no event stream of ours. */
const EVENT_CHARS_MAX = 4_194_304;

/** Reads server-sent events as they come. Ends where the stream ends. @throws {RangeError} An event is too long. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    // The two characters of a line's end may come in two pieces, so they are joined before they are looked at.
    rest = (rest + decoder.decode(chunk, { stream: true })).replaceAll("\r\n", "\n");
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    if (rest.length > EVENT_CHARS_MAX) throw new RangeError("an event of the stream is too long");
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event !== null) yield event;
    }
  }
}

/** Null for comments, which only say that the connection lives. */
function parseEvent(block: string): ServerEvent | null {
  const fields = block
    .split("\n")
    .filter((line) => !line.startsWith(":"))
    .map((line) => /^([^:]*):? ?(.*)$/s.exec(line))
    .filter((match) => match !== null);
  const valuesOf = (name: string): string[] =>
    fields.filter(([, key]) => key === name).map(([, , value]) => value ?? "");
  const data = valuesOf("data");
  if (data.length === 0) return null;
  return {
    id: valuesOf("id").at(-1) ?? null,
    event: valuesOf("event").at(-1) ?? "message",
    data: data.join("\n"),
  };
}
