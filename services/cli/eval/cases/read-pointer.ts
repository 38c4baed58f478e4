import { stepsOf } from "#shared/json";

/** The value at a JSON pointer (RFC 6901); undefined where there is none. */
export function readPointer(value: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>(
    (at, step) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined,
    value,
  );
}

/** Whether `pointer` is `root` or below it. */
export function isWithin(pointer: string, root: string): boolean {
  return pointer === root || pointer.startsWith(`${root}/`);
}
