import { defineError } from "./suture-error.ts";

/** A feature needs optional packages that the project has not installed. */
export class PackageMissingError extends defineError((names: readonly string[], cause?: unknown) => ({
  code: "PACKAGE_MISSING",
  failureClass: "unavailable",
  message: `This needs optional packages that are not installed: ${names.join(", ")}.`,
  remedy: `Run npm install ${names.join(" ")}; npm takes the versions that the package suture asks for.`,
  cause,
})) {}

/** Loads what imports optional packages, as `() => import("nodemailer")`. @throws {PackageMissingError} */
export async function loadPackage<Module>(
  names: readonly string[],
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    throw names.some((name) => isMissing(error, name)) ? new PackageMissingError(names, error) : error;
  }
}

/** Returns true for Node's refusal of that very package; a package that lacks one of its own is broken, not absent. */
function isMissing(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "ERR_MODULE_NOT_FOUND" &&
    error.message.includes(`'${name}'`)
  );
}
