import { $api, api, queries, readAgain } from "./api.ts";
import { shared } from "./shared.ts";

interface News {
  readonly name: "open" | "error" | "overview" | "activity";
  readonly data: string;
}

/** After it, in ms, a tab reads again what was refused, or what it cannot share with others. */
const AGAIN_MS = 2000;
/** Silence after which what is on the page may be old, in ms: it is told anew each second. */
const SILENCE_MS = 8000;
/** Of the lock that one tab holds, and of the channel on which it passes the stream on. */
const SHARED = "suture-events";

const overviewKey = $api.queryOptions("get", "/v1/overview").queryKey;

/** Currency of the page. `silent`: connected, and no news, as when Redis is away. */
const liveness = shared<"connecting" | "live" | "silent" | "away">("connecting");
export const useLiveness = liveness.use;

let timer: ReturnType<typeof setTimeout> | undefined;

function take({ name, data }: News): void {
  // No event tells what was done between two streams, while Redis was away, or after the page had read and before the
  // first of them came.
  const hasMissed = name === "overview" && liveness.get() !== "live";
  if (name === "activity" || hasMissed) void readAgain();
  if (name === "open") liveness.set("connecting");
  if (name === "error") {
    liveness.set("away");
    // A session that has ended is noted.
    void api.GET("/v1/session").catch(() => undefined);
  }
  if (name === "overview") {
    queries.setQueryData(overviewKey, JSON.parse(data));
    liveness.set("live");
  }
  awaitNews();
}

function awaitNews(): void {
  clearTimeout(timer);
  timer = setTimeout(() => liveness.get() !== "away" && liveness.set("silent"), SILENCE_MS);
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
  const { data } = await api.GET("/v1/overview").catch(() => ({ data: undefined }));
  take({ name: data === undefined ? "error" : "overview", data: JSON.stringify(data) });
  await readAgain();
  setTimeout(() => void poll(), AGAIN_MS);
}
