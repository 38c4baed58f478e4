import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Sample, SampleRequest } from "./sample.ts";

const SAMPLE_PROCESS = fileURLToPath(new URL("./sample-process.ts", import.meta.url));

/** Takes a sample in a child process. @throws {Error} The child failed; its error is on stderr. */
export function sampleApart(request: SampleRequest): Promise<Sample> {
  return new Promise((resolve, reject) => {
    const child = fork(SAMPLE_PROCESS, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    child.once("message", (sample) => {
      // Sent by `sample-process.ts`, as a Sample.
      resolve(sample as Sample);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the sample of ${request.peer} ended with code ${code}`)));
    child.send(request);
  });
}
