import { z } from "zod";
import { CommandRefusedError } from "../errors.ts";
import { readOwnPackage } from "../own-package.ts";

const texts = z.record(z.string(), z.string());
const manifestSchema = z.looseObject({
  type: z.string().optional(),
  scripts: texts.optional(),
  dependencies: texts.optional(),
  devDependencies: texts.optional(),
});

/** With `exec`, a signal that ends `npm start` reaches Suture, and not the shell in between alone. */
const SCRIPTS = { dev: "exec suture dev", start: "exec suture up", test: "vitest run" };
/** Packages for tests and types, in the versions that this repository uses. */
export const DEVELOPMENT = { "@types/node": "^24.19.2", typescript: "^7.0.2", vitest: "^5.1.1" };
/** The release of BullMQ that runs agents; a ward beside queues works with more. */
const ENGINE = { bullmq: "^6.7.0" };

/** Returns false if a project has tests of another runner, which would take those of vitest for its own and fail. */
export function testsByVitest(manifest: string | null): boolean {
  if (manifest === null) return true;
  const { scripts = {}, dependencies = {}, devDependencies = {} } = parse(manifest);
  return scripts["test"] === undefined || "vitest" in { ...dependencies, ...devDependencies };
}

/**
 * Returns package.json with the scripts and dependencies that it lacks; the rest stays where it stands.
 * @throws {CommandRefusedError} It is no JSON object of that form, or says `"type": "commonjs"`.
 */
export function mergeManifest(before: string | null, name: string): string {
  const manifest = before === null ? { name, private: true, type: "module" } : parse(before);
  if (manifest.type !== undefined && manifest.type !== "module")
    throw new CommandRefusedError(
      `package.json says "type": "${manifest.type}", and Suture is made of ES modules.`,
      'Set "type" to "module", or run `suture init` in a folder of its own.',
    );
  const { dependencies = {}, devDependencies = {}, scripts = {} } = manifest;
  const all = { ...devDependencies, ...dependencies };
  const { vitest, ...others } = DEVELOPMENT;
  const development = testsByVitest(before) ? { ...others, vitest } : others;
  const lacking = (wanted: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(wanted).filter(([one]) => all[one] === undefined));
  const merged = {
    ...manifest,
    type: "module",
    scripts: { ...SCRIPTS, ...scripts },
    dependencies: { ...dependencies, ...lacking(ownVersions()) },
    devDependencies: { ...devDependencies, ...lacking(development) },
  };
  const isSame = before !== null && JSON.stringify(JSON.parse(before)) === JSON.stringify(merged);
  return isSame ? before : `${JSON.stringify(merged, null, indentOf(before))}\n`;
}

function parse(text: string): z.output<typeof manifestSchema> {
  try {
    const read: unknown = JSON.parse(text);
    // In the order of the file, which zod does not keep.
    return Object.assign({}, read, manifestSchema.parse(read));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : "it is no JSON";
    throw new CommandRefusedError(`package.json cannot be used: ${reason}.`, "Correct it and start again.");
  }
}

/** Two spaces, unless the file has another indentation. */
function indentOf(text: string | null): string {
  return /^\{\r?\n([ \t]+)/.exec(text ?? "")?.[1] ?? "  ";
}

/** Returns this package and what it wants its projects to bring. */
function ownVersions(): Record<string, string> {
  const { version, dependencies, peerDependencies } = readOwnPackage();
  const versions: Readonly<Record<string, string>> = { ...dependencies, ...peerDependencies, ...ENGINE };
  const wanted = ["bullmq", "zod"].map((one) => [one, versions[one] ?? "*"]);
  return { ...Object.fromEntries(wanted), suture: `^${version}` };
}
