import { useSyncExternalStore } from "react";
import { $api, api, Problem, queries, readAgain } from "./api.ts";

/** Currency of the page. `silent`: connected, and no news, as when Redis is away. */
export type Liveness = "connecting" | "live" | "silent" | "away";

interface News {
  readonly name: "open" | "error" | "overview" | "activity";
  readonly data: string;
}

/** The browser comes back by itself after a broken connection, but not after an answer that was refused. In ms. */
const AGAIN_MS = 3000;
/** Where tabs cannot share a stream, each asks after this time, in ms. */
const POLL_MS = 2000;
/** Silence after which what is on the page may be old, in ms: it is told anew each second. */
const SILENCE_MS = 8000;
/** Of the lock that one tab holds, and of the channel on which it passes the stream on. */
const SHARED = "suture-events";

const overviewKey = $api.queryOptions("get", "/v1/overview").queryKey;

let liveness: Liveness = "connecting";
let newsAtMs: number | null = null;
let isConnected = true;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function become(next: Liveness): void {
  if (liveness === next) return;
  // What was done while nobody listened is told by no event.
  if (next === "live" && liveness !== "connecting") void queries.invalidateQueries();
  liveness = next;
  for (const listener of listeners) listener();
}

function awaitNews(): void {
  clearTimeout(timer);
  timer = setTimeout(() => become(isConnected ? "silent" : "away"), SILENCE_MS);
}

function take({ name, data }: News): void {
  if (name === "error") {
    isConnected = false;
    become("away");
    // Who was logged out is told so; everybody else is connected again.
    void api.GET("/v1/session").catch(() => undefined);
  } else if (name === "overview") {
    newsAtMs = Date.now();
    isConnected = true;
    queries.setQueryData(overviewKey, JSON.parse(data));
    become("live");
  } else if (name === "activity") {
    void readAgain();
  }
  awaitNews();
}

/**
 * Follows how things stand. All tabs of a browser share one stream, because over HTTP/1.1 a browser opens six
 * connections to a host: the tab that holds the lock reads it and passes it on, and after it another one.
 */
export function followNews(): void {
  awaitNews();
  // Locks are there on this machine and under HTTPS; a plain address elsewhere has none.
  if (!("locks" in navigator)) return void poll();
  const channel = new BroadcastChannel(SHARED);
  channel.addEventListener("message", ({ data }: MessageEvent<News>) => take(data));
  void navigator.locks.request(SHARED, () => {
    lead((news) => {
      channel.postMessage(news);
      take(news);
    });
    // Held until this page is gone.
    return new Promise(() => undefined);
  });
}

function lead(publish: (news: News) => void): void {
  const events = new EventSource("/v1/events");
  for (const name of ["open", "error", "overview", "activity"] as const)
    events.addEventListener(name, (event: MessageEvent<string>) => publish({ name, data: event.data }));
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) setTimeout(() => lead(publish), AGAIN_MS);
  });
}

async function poll(): Promise<void> {
  for (;;) {
    try {
      const { data } = await api.GET("/v1/overview");
      take({ name: "overview", data: JSON.stringify(data) });
      take({ name: "activity", data: "" });
    } catch (error) {
      if (error instanceof Problem) take({ name: "error", data: "" });
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Returns how current the page is, and when it was last told, in ms since the epoch. */
export function useLiveness(): { readonly liveness: Liveness; readonly newsAtMs: number | null } {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => liveness,
  );
  return { liveness: now, newsAtMs };
}
