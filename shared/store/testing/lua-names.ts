import type { Redis } from "ioredis";

const COMPILE = "return string.dump(assert(loadstring(ARGV[1])))";

/** Opcodes of Lua 5.1 that read and write a global. */
const GLOBAL_OPCODES = [5, 7];
/** Types of constants. */
const [BOOLEAN, NUMBER, STRING] = [1, 3, 4];

/** Returns undeclared names in a Lua source, read from the bytecode that Redis compiles (Lua 5.1, 64 bits). */
export async function findGlobals(redis: Redis, source: string): Promise<string[]> {
  const dumped = await redis.callBuffer("EVAL", COMPILE, 0, source);
  if (!(dumped instanceof Buffer)) throw new Error("Redis compiles no Lua.");
  const found = new Set<string>();
  // After the header.
  let at = 12;
  const readInt = (): number => {
    at += 4;
    return dumped.readUInt32LE(at - 4);
  };
  const readText = (): string => {
    const size = Number(dumped.readBigUInt64LE(at));
    at += 8 + size;
    return dumped.toString("latin1", at - size, Math.max(at - size, at - 1));
  };
  const readList = <One>(read: () => One): One[] => Array.from({ length: readInt() }, read);
  const readConstant = (): string => {
    const type = dumped[at];
    at += 1;
    if (type === STRING) return readText();
    if (type === BOOLEAN) at += 1;
    if (type === NUMBER) at += 8;
    return "";
  };
  const readFunction = (): void => {
    readText();
    // Its first and last line, and four counts.
    at += 12;
    const instructions = readList(readInt);
    const constants = readList(readConstant);
    readList(readFunction);
    readList(readInt);
    readList(() => (readText(), (at += 8)));
    readList(readText);
    for (const one of instructions)
      if (GLOBAL_OPCODES.includes(one & 0x3f)) found.add(constants[one >>> 14] ?? "");
  };
  readFunction();
  return [...found];
}
