import { createProgram } from "./create-program.ts";
import { endWith } from "./end-with.ts";

// A reader that has seen enough (`suture runs ls | head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = endWith(error);
}
