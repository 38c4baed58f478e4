import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Sample, SampleRequest } from "./sample.ts";

const SAMPLE_PROCESS = fileURLToPath(new URL("./sample-process.ts", import.meta.url));

/** What a sample gets to close its connections after its own time is over, in ms. */
const CLOSE_WITHIN_MS = 30_000;

/** Takes a sample in a child process. @throws {Error} The child failed or hung; its error is on stderr. */
export function sampleApart(request: SampleRequest): Promise<Sample> {
  return new Promise((resolve, reject) => {
    const child = fork(SAMPLE_PROCESS, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), request.timeoutMs + CLOSE_WITHIN_MS);
    child.once("message", (sample) => {
      // Sent by `sample-process.ts`, as a Sample.
      resolve(sample as Sample);
    });
    child.once("error", reject);
    // The next sample begins when this one's process is gone; after its message this says nothing new.
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`the sample of ${request.peer} ended with ${code ?? signal} and said nothing`));
    });
    child.send(request);
  });
}
