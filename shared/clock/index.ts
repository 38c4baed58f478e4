export { correctClock, now, setClock, timestamp, wallNow } from "./clock.ts";
export { followSignals } from "./follow-signals.ts";
export type { Following } from "./follow-signals.ts";
export { derivedId, random, randomHex, uuidv7 } from "./ids.ts";
export { sleep, whenAborted } from "./sleep.ts";
