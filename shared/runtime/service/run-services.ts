import { z } from "zod";
import type { Config } from "#shared/config";
import { loadConfig } from "#shared/config";
import { armCrashPoint } from "#shared/crash-points";
import { PortTakenError } from "#shared/http";
import { createLogger, startTracing } from "#shared/telemetry";
import type { Logger } from "#shared/telemetry";

/** A service, as its folder has it in `service.ts`. */
export interface Service {
  readonly name: string;
  /** Opens and starts it. Imports its modules here and not before: tracing watches only what is loaded later. */
  readonly open: (config: Config, logger: Logger) => Promise<RunningService>;
}

interface RunningService {
  /** Rejects when the process should end, for a supervisor to start it anew. Never resolves. */
  readonly failed?: Promise<never>;
  /** Ends the work in hand within the grace, in ms, and lets go of all it holds. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** Told to the launcher, where one has started this process: all services are open, or why they never will be. */
export const saidByServicesSchema = z.union([
  z.strictObject({ isOpen: z.literal(true) }),
  z.strictObject({ isOpen: z.literal(false), problem: z.string() }),
]);

type SaidByServices = z.output<typeof saidByServicesSchema>;

/** Time that stopping gets beyond the grace, in ms: Redis may be gone, and closing waits for it. */
const FAILED_STOP_MS = 5000;

/**
 * Runs services in this process until a signal stops it. @param name - Of the process, in its traces.
 * @param rounds - In the order in which they start; they stop in the reverse one, those of a round together.
 */
export async function runServices(name: string, rounds: readonly (readonly Service[])[]): Promise<void> {
  const config = loadConfig();
  armCrashPoint(config.crashPoint);
  const tracing = await startTracing({ service: name, otlpEndpoint: config.otlpEndpoint });
  const logger = createLogger({ service: name, level: config.logLevel });
  if (config.unknownVariables.length > 0)
    logger.warn({ variables: config.unknownVariables }, "unknown variables are set");
  const running: RunningService[][] = [];
  for (const round of rounds) {
    const open = (one: Service): Promise<RunningService> =>
      one.open(config, createLogger({ service: one.name, level: config.logLevel }));
    running.push(await Promise.all(round.map(open)).catch(tellLauncher));
  }
  process.send?.({ isOpen: true } satisfies SaidByServices);
  let stopped: Promise<void> | undefined;
  const stop = async (graceMs: number): Promise<void> => {
    for (const round of running.toReversed()) await Promise.all(round.map((one) => one.stop(graceMs)));
    await tracing.shutdown();
    logger.info("stopped");
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => {
      endAfter(config.stopGraceMs + FAILED_STOP_MS, logger);
      stopped ??= stop(config.stopGraceMs);
    });
  for (const { failed } of running.flat())
    // A process that fetches nothing has nothing to finish: the supervisor starts one that does.
    failed?.catch(async (error: unknown) => {
      logger.fatal({ err: error }, "the process ends");
      endAfter(FAILED_STOP_MS, logger);
      await (stopped ??= stop(0)).catch(() => undefined);
      process.exit(1);
    });
}

/** Another try would meet the same port: the launcher is told, and the process ends with the error. */
function tellLauncher(error: unknown): never {
  if (error instanceof PortTakenError)
    process.send?.({ isOpen: false, problem: `${error.message} ${error.remedy}` } satisfies SaidByServices);
  throw error;
}

function endAfter(ms: number, logger: Logger): void {
  setTimeout(() => {
    logger.error("the process could not close in time and ends: what it held is taken over");
    process.exit(1);
  }, ms).unref();
}
