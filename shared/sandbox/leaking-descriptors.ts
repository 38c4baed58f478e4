import { readdirSync, readFileSync } from "node:fs";

/** `O_CLOEXEC`, as the kernel prints it. */
const CLOSES_ON_EXEC = 0o2_000_000;

/**
 * Returns this process's descriptors that child processes would inherit. Node opens none; the parent process may have
 * left some.
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

/** Empty for a descriptor closed in the meantime. */
function readInfo(descriptor: number): string {
  try {
    return readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8");
  } catch {
    return "";
  }
}
