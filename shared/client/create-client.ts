import { openRun } from "./open-run.ts";
import type { CallOptions, Run } from "./open-run.ts";
import { readJson, sendRequest } from "./send-request.ts";
import type { Gateway } from "./send-request.ts";
import type { AnyTeams, FileReference, Started, StoredBlob, Task, TeamTypes } from "./types.ts";

export interface ClientOptions {
  /** Address of the gateway, such as `https://agents.example.org`; a path is kept. */
  readonly url: string | URL;
  /** API key. It is sent to this address alone; redirects are not followed. */
  readonly key: string;
  /** Time over which a call is repeated after network errors, 429 and 503, in ms. Default 60,000; 0: never. */
  readonly retryForMs?: number;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Beside the input: preferences, constraints, budget and so on, as `POST /v1/tasks` takes them. */
export interface SubmitOptions extends CallOptions, Omit<Task, "team" | "input"> {
  /** Submits with the same key start one run. Default: a random key, kept over the repeats of this call. */
  readonly idempotencyKey?: string;
}

export interface UploadOptions extends CallOptions {
  /** MIME type. Default: that of a Blob, else `application/octet-stream`. */
  readonly type?: string;
}

/** A client of a gateway. `Teams` has the types of input and result by team: `suture types` writes it. */
export interface Client<Teams extends { readonly [Name in keyof Teams]: TeamTypes } = AnyTeams> {
  /** Submits a task and returns its run once the gateway has accepted it. */
  submit<Name extends keyof Teams & string>(
    team: Name,
    input: Teams[Name]["input"],
    options?: SubmitOptions,
  ): Promise<Run<Teams[Name]["result"]>>;
  /** Returns a handle on a run that was submitted before. */
  run<Name extends keyof Teams & string>(team: Name, runId: string): Run<Teams[Name]["result"]>;
  /** Stores content by its hash, so that a task's input can refer to it. */
  upload(content: Blob | Uint8Array<ArrayBuffer> | string, options?: UploadOptions): Promise<FileReference>;
}

const RETRY_MS = 60_000;
/** Of one upload, in ms. */
const UPLOAD_MS_MAX = 600_000;
const KEY_BYTES = 16;

/** Creates a client of a gateway. @throws {TypeError} The address is not a URL. */
export function createClient<Teams extends { readonly [Name in keyof Teams]: TeamTypes } = AnyTeams>(
  options: ClientOptions,
): Client<Teams> {
  const { key, retryForMs = RETRY_MS, fetch = globalThis.fetch } = options;
  const gateway: Gateway = { base: baseOf(options.url), key, retryForMs, fetch };
  return {
    async submit(team, input, { idempotencyKey = randomKey(), signal, ...terms } = {}) {
      const headers = { "content-type": "application/json", "idempotency-key": idempotencyKey };
      const body = JSON.stringify({ ...terms, team, input });
      const call = { method: "POST", path: "v1/tasks", headers, body, signal } as const;
      return openRun(gateway, (await sendRequest(gateway, call, readJson<Started>)).run_id);
    },
    run: (_team, runId) => openRun(gateway, runId),
    async upload(content, { type, signal } = {}) {
      const own = content instanceof Blob && content.type !== "" ? content.type : "application/octet-stream";
      const headers = { "content-type": type ?? own };
      const call = { method: "POST", path: "v1/blobs", headers, body: content, signal } as const;
      const attempt = { ...call, attemptMs: UPLOAD_MS_MAX };
      const { id: _, ...reference } = await sendRequest(gateway, attempt, readJson<StoredBlob>);
      return reference;
    },
  };
}

/** Paths are resolved below it. */
function baseOf(url: string | URL): URL {
  const base = new URL(url);
  base.search = base.hash = "";
  base.pathname = base.pathname.replace(/\/*$/, "/");
  return base;
}

/** `crypto.randomUUID` is missing from pages that came over plain HTTP. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
