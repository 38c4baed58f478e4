import { createProgram } from "./create-program.ts";
import { endWith } from "./end-with.ts";
import { endOnClosedOutput } from "./launcher/stop-signals.ts";

endOnClosedOutput();

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = endWith(error);
}
