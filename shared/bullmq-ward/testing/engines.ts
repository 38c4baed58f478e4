import * as six from "bullmq";
import * as five from "bullmq5";

export type Engine = Pick<typeof six, "Queue" | "Worker" | "FlowProducer" | "UnrecoverableError">;

/** One release of each major. `npm run bullmq-matrix` tries the others. */
export const ENGINES: readonly (readonly [name: string, engine: Engine])[] = [
  ["bullmq 6", six],
  // The same classes as far as `Engine` goes; bullmq 5 types them with other private members.
  ["bullmq 5", five as unknown as Engine],
];
