import { SutureError } from "./suture-error.ts";

/** A feature needs an optional package that the project has not installed. */
export class PackageMissingError extends SutureError {
  constructor(name: string, cause?: unknown) {
    super({
      code: "PACKAGE_MISSING",
      failureClass: "unavailable",
      message: `The optional package ${name} is not installed.`,
      remedy: `Install it: npm install ${name}. The package suture names the version under peerDependencies.`,
      ...(cause === undefined ? {} : { cause }),
    });
  }
}

/**
 * Loads an optional package at its first use.
 *
 * @param load - Imports it: `() => import("pg")`.
 * @throws {PackageMissingError} It is not installed.
 */
export async function loadPackage<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    throw isMissing(error, name) ? new PackageMissingError(name, error) : error;
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
