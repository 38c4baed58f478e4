import { readFileSync } from "node:fs";
import type { Redis } from "ioredis";
import { encoderOf, prologueOf } from "../script-arguments.ts";
import type { ArgumentKinds, ValuesOf } from "../script-arguments.ts";

/** Runs Lua code with the parts of our scripts and named arguments in a real Redis. */
export async function runLua<const Kinds extends ArgumentKinds>(
  redis: Redis,
  lua: { readonly parts: readonly string[]; readonly args: Kinds; readonly body: string },
  values: ValuesOf<Kinds>,
): Promise<unknown> {
  const { parts, args, body } = lua;
  const source = [
    prologueOf({ keys: [], args, constants: {} }),
    ...parts.map((name) => readFileSync(new URL(`../scripts/${name}`, import.meta.url), "utf8")),
    body,
  ].join("\n");
  const sent: (string | number)[] = [];
  encoderOf(args)(values, sent);
  return redis.eval(source, 0, ...sent);
}
