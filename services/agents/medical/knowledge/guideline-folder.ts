import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { scoreInjection } from "#shared/guard";
import { GuidelinesUnavailableError } from "../errors.ts";
import type { GuidelineSection, KnowledgeBase } from "./knowledge-base.ts";
import { rankSections } from "./rank-sections.ts";
import { readGuideline } from "./read-guideline.ts";

export interface GuidelineFolderOptions {
  /** Folder with guidelines as `.md` and `.txt`. Asked when first needed, so that loading needs no configuration. */
  readonly folder: () => string;
  /** Default 500. */
  readonly filesMax?: number;
  /** Of all guidelines together. Default 16 MiB. */
  readonly bytesMax?: number;
}

const EXTENSIONS = [".md", ".txt"];
/** Score from which a document is held back, because it looks as if it gave orders to machines; the guard's default. */
const HOLD_BACK_AT = 0.6;

/** Guidelines in a folder, read once when they are first asked for; a failure is tried again at the next search. */
export function createGuidelineFolder(options: GuidelineFolderOptions): KnowledgeBase {
  let read: Promise<readonly GuidelineSection[]> | undefined;
  return {
    async search({ text, sectionsMax }, signal) {
      read ??= readFolder(options).catch((error: unknown) => {
        read = undefined;
        throw error;
      });
      const sections = await read;
      signal.throwIfAborted();
      return rankSections(sections, text).slice(0, sectionsMax);
    },
  };
}

async function readFolder({
  folder,
  filesMax = 500,
  bytesMax = 16 * 1024 * 1024,
}: GuidelineFolderOptions): Promise<GuidelineSection[]> {
  try {
    const base = folder();
    const names = (await readdir(base)).filter((name) => EXTENSIONS.includes(extname(name))).toSorted();
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(base, name))).size));
    if (names.length > filesMax || sizes.reduce((sum, size) => sum + size, 0) > bytesMax)
      throw new GuidelinesUnavailableError(`it has more than ${filesMax} files or ${bytesMax} bytes`);
    const texts = await Promise.all(names.map((name) => readFile(join(base, name), "utf8")));
    return texts.flatMap((text, index) =>
      scoreInjection(text).score < HOLD_BACK_AT ? readGuideline(names[index] ?? "", text) : [],
    );
  } catch (error) {
    if (error instanceof GuidelinesUnavailableError) throw error;
    throw new GuidelinesUnavailableError("it cannot be read", error);
  }
}
