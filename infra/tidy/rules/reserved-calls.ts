import { findLines } from "../source-file.ts";
import type { Finding, SourceFile } from "../source-file.ts";

/** What only one room may call, where else it may be for a reason, and what to call instead. */
const RESERVED: readonly { pattern: RegExp; allowed: readonly RegExp[]; message: string }[] = [
  {
    pattern: /\bDate\.now\s*\(|\bnew Date\(\s*\)|\bMath\.random\s*\(/,
    // infra/*.mjs runs before anything is installed, the browser has no rooms, and measurements are about real time.
    allowed: [/^shared\/clock\//, /^infra\/[\w-]+\.mjs$/, /^services\/console\/web\//, /^bench\//],
    message:
      "take time and randomness from #shared/clock (now, timestamp, random, uuidv7), so that tests can set them",
  },
  {
    pattern: /\bprocess\.env\b/,
    allowed: [
      /^shared\/config\/load-config\.ts$/,
      // OpenTelemetry can be told one thing by the environment alone.
      /^shared\/telemetry\/tracing-sdk\.ts$/,
      // Set-up looks for programs on the PATH and passes the environment on to the children that it starts.
      /^infra\//,
      // The launcher passes the environment on to the services that it starts.
      /^services\/cli\//,
      /^bench\//,
    ],
    message: "read settings with loadConfig of #shared/config, in main.ts, and pass values on",
  },
];

/** What comes from outside comes in through one door, so that a test can stand there. Tests themselves may call all. */
export function checkReservedCalls(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => file.isCode && !file.isTest)
    .flatMap((file) =>
      RESERVED.filter(({ allowed }) => !allowed.some((place) => place.test(file.path))).flatMap(
        ({ pattern, message }) => findLines(file, { in: "masked", pattern, message }),
      ),
    );
}

const CAST = /(?<![\w$])(?:[\w$)\]}>]|["'`])\s+as\s+(?!const\b)[A-Z{([a-z]/;
const NO_CAST = /^\s*(?:import|export)\b|^\s*(?:type\s+)?\w+ as \w+,?$|\}\s+from\s/;

/** A cast tells the compiler to believe us; a comment at most two lines above says why it may. */
export function checkCasts(files: readonly SourceFile[]): Finding[] {
  const message = "say in a comment why this cast is safe, or let the compiler see it (a type guard, zod)";
  return files
    .filter((file) => file.isCode && !file.isTest)
    .flatMap((file) =>
      file.masked.flatMap((line, index) => {
        const isExplained = [1, 0, -1].some((offset) => file.commentLines.has(index + offset));
        return CAST.test(line) && !NO_CAST.test(line) && !isExplained
          ? [{ path: file.path, line: index + 1, message }]
          : [];
      }),
    );
}
