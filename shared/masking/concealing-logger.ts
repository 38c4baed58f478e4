import { describeForLog } from "#shared/telemetry";
import type { Logger } from "#shared/telemetry";

const LEVELS = ["fatal", "error", "warn", "info", "debug", "trace"] as const;

/** Returns a logger whose lines, and its children's, pass through `conceal`, which keeps the shape of what it gets. */
export function concealingLogger(logger: Logger, conceal: (value: unknown) => unknown): Logger {
  return new Proxy(logger, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function") return member;
      if (name === "child")
        return (...args: unknown[]) =>
          concealingLogger(
            Reflect.apply(
              member,
              target,
              args.map((one) => concealed(one, conceal)),
            ),
            conceal,
          );
      if (LEVELS.some((level) => level === name))
        return (...args: unknown[]) =>
          Reflect.apply(
            member,
            target,
            args.map((one) => concealed(one, conceal)),
          );
      return member;
    },
  });
}

/** Errors are serialised first, because their text is not a plain value. */
function concealed(one: unknown, conceal: (value: unknown) => unknown): unknown {
  if (typeof one !== "object" || one === null) return conceal(one);
  return conceal(describeForLog(one instanceof Error ? { err: one } : { ...one }));
}
