export { guardRequests, openServer, runningServer, SERVER_BOUNDS_DEFAULT } from "./open-server.ts";
export type { RunningServer } from "./open-server.ts";
export { streamEvents, toEvents } from "./stream-events.ts";
