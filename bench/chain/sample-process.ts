import { takeSample } from "./sample.ts";
import type { SampleRequest } from "./sample.ts";

/** One sample in a process of its own: no peer inherits the other's compiled code, heap or timers. */
process.once("message", (request) => {
  // Sent by `sample-apart.ts` alone, as a SampleRequest.
  takeSample(request as SampleRequest)
    .then((sample) => process.send?.(sample, () => process.exit(0)))
    .catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
});
