import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { SandboxPlaces } from "#shared/sandbox";
import type { TrialLimits } from "../limits.ts";
import type { FileResult } from "../trial/report.ts";
import { parseJson } from "./results/read-jest.ts";
import { runStart } from "./run-tool.ts";
import type { SuiteRun } from "./runner.ts";

const REPORTER = new URL(`child/report-tests${extname(import.meta.filename)}`, import.meta.url);
const CHILD = dirname(fileURLToPath(REPORTER));

/** Output of `child/report-tests.ts`. */
const report = z.array(z.object({ name: z.string(), hasPassed: z.boolean(), text: z.string() }));

/** Runs files of `node:test` one after the other, each in a process of its own, within one common time. */
export async function runNodeTests({ files, limits, ...suite }: SuiteRun): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const endsAt = performance.now() + limits.start.timeMs;
  for (const file of files) {
    const timeMs = Math.max(1, Math.ceil(endsAt - performance.now()));
    const start = {
      args: (places: SandboxPlaces) => [...flags(places, limits), join(places.work, file)],
      visible: [CHILD],
      files: [file],
      // A helper that declares tests is named in their place.
      read: (text: string) =>
        (report.safeParse(parseJson(text)).data ?? []).map((test) => ({ ...test, file, line: 0 })),
    };
    const bounds = { ...limits, start: { ...limits.start, timeMs } };
    results.push(...(await runStart(start, { ...suite, files, limits: bounds })));
  }
  return results;
}

/**
 * The permission model keeps the tests to their copy a second time: should the sandbox be switched off, they still
 * start no process and no thread, and read and write nothing else. What they print while they run is theirs; the
 * report goes to a descriptor of its own.
 */
function flags({ work, temporary }: SandboxPlaces, { start }: TrialLimits): string[] {
  const heapMebibytes = Math.max(32, Math.floor(start.memoryBytesMax / 2 / 1024 / 1024));
  return [
    "--permission",
    ...[work, temporary, CHILD].map((folder) => `--allow-fs-read=${folder}`),
    ...[work, temporary].map((folder) => `--allow-fs-write=${folder}`),
    `--max-old-space-size=${heapMebibytes}`,
    "--disable-warning=ExperimentalWarning",
    "--disable-warning=SecurityWarning",
    "--no-addons",
    `--test-reporter=${REPORTER.href}`,
    "--test-reporter-destination=stdout",
  ];
}
