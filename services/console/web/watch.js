import { get } from "./api.js";

const NAMES = ["open", "error", "overview", "activity"];
/** The browser comes back by itself after a broken connection, but not after an answer that was refused. In ms. */
const AGAIN_MS = 3000;
/** Where tabs cannot share a stream, each asks after this time, in ms. */
const POLL_MS = 2000;
/** Of the lock that one tab holds, and of the channel on which it passes the stream on. */
const SHARED = "suture-events";

/**
 * Tells how things stand, again and again: `overview` with every look, `activity` when something was done, `open` and
 * `error` as the connection comes and goes. All tabs of a browser share one stream, because over HTTP/1.1 a browser
 * opens six connections to a host: the tab that holds the lock reads it and passes it on, and after it another one.
 *
 * @param {Record<"open" | "error" | "activity", () => void> & { overview: (overview: object) => void }} handlers
 */
export function watch(handlers) {
  // Locks are there on this machine and under HTTPS; a plain address elsewhere has none.
  if (navigator.locks === undefined) return void poll(handlers);
  const channel = new BroadcastChannel(SHARED);
  // Reaches this origin's pages alone; a target is what messages to windows need.
  const passOn = channel.postMessage.bind(channel);
  const dispatch = ({ name, data }) =>
    name === "overview" ? handlers.overview(JSON.parse(data)) : handlers[name]();
  channel.addEventListener("message", ({ data }) => dispatch(data));
  void navigator.locks.request(SHARED, () => {
    lead((event) => {
      passOn(event);
      dispatch(event);
    });
    // Held until this page is gone.
    return new Promise(() => {});
  });
}

function lead(publish) {
  const events = new EventSource("/v1/events");
  for (const name of NAMES) events.addEventListener(name, ({ data }) => publish({ name, data }));
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) setTimeout(() => lead(publish), AGAIN_MS);
  });
}

async function poll(handlers) {
  let newest = null;
  for (;;) {
    try {
      const [overview, { audit }] = await Promise.all([
        get("/v1/overview"),
        get("/v1/audit", { query: { limit: 1 } }),
      ]);
      if (newest === null) handlers.open();
      handlers.overview(overview);
      const last = JSON.stringify(audit);
      if (newest !== null && newest !== last) handlers.activity();
      newest = last;
    } catch {
      newest = null;
      handlers.error();
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
