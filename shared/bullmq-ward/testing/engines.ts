import { createRequire } from "node:module";
import * as six from "bullmq";
import * as five from "bullmq5";

/** What tests use of a BullMQ release. */
export type Engine = Pick<typeof six, "Queue" | "Worker" | "FlowProducer" | "UnrecoverableError">;

const require = createRequire(import.meta.url);
const other = process.env["BULLMQ_TEST_PACKAGE"];

/** One release of each major; or the only one in the folder that `npm run bullmq-matrix` names. */
export const ENGINES: readonly (readonly [name: string, engine: Engine])[] =
  other === undefined
    ? [
        ["bullmq 6", six],
        // The same classes as far as `Engine` goes; bullmq 5 types them with other private members.
        ["bullmq 5", five as unknown as Engine],
      ]
    : // A package of the same name.
      [[other.includes("/bullmq/5.") ? "bullmq 5" : "bullmq 6", require(other) as Engine]];
