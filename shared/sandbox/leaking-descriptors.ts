import { readdirSync, readFileSync } from "node:fs";

/** Of a descriptor that is closed when another program takes over the process, as the kernel writes it. */
const CLOSES_ON_EXEC = 0o2_000_000;

/**
 * Returns this process's file descriptors that every program it starts would get as well. Node opens none of that
 * kind; whoever started this process may have left some.
 */
export function leakingDescriptors(): number[] {
  return listDescriptors().filter((descriptor) => {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readInfo(descriptor))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) === 0;
  });
}

function listDescriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

/** Empty for one that was closed in the meantime. */
function readInfo(descriptor: number): string {
  try {
    return readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8");
  } catch {
    return "";
  }
}
