import { getDocumentProxy } from "unpdf";
import type { ChildTask } from "../reading.ts";
import { FaultError } from "./fault-error.ts";
import { layLines } from "./lay-lines.ts";
import type { PlacedText } from "./lay-lines.ts";

/** Whole pages of nothing but pictures have no text layer: there is no one here who could read them. */
export async function readPdf(bytes: Buffer, task: ChildTask): Promise<string[]> {
  const document = await open(bytes);
  if (document.numPages > task.pagesMax) throw new FaultError("too_many_pages");
  const pages: string[] = [];
  let characters = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const lines = layLines(items.flatMap((item) => ("str" in item ? [placed(item)] : [])));
    characters += lines.length;
    if (characters > task.charactersMax) throw new FaultError("too_much_text");
    pages.push(lines);
    page.cleanup();
  }
  if (pages.every((page) => page.trim() === "")) throw new FaultError("without_text");
  return pages;
}

async function open(bytes: Buffer): Promise<Awaited<ReturnType<typeof getDocumentProxy>>> {
  try {
    // Half a file is no document: what a repair of its table of objects would find is not all of it.
    if (!endsWell(bytes)) throw new FaultError("damaged");
    return await getDocumentProxy(new Uint8Array(bytes), {
      stopAtErrors: true,
      verbosity: 0,
      useSystemFonts: false,
      disableFontFace: true,
    });
  } catch (error) {
    if (error instanceof FaultError) throw error;
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new FaultError(isLocked ? "encrypted" : "damaged");
  }
}

const TAIL_BYTES = 2048;

function endsWell(bytes: Buffer): boolean {
  return bytes.subarray(-TAIL_BYTES).toString("latin1").includes("%%EOF");
}

function placed(item: {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
}): PlacedText {
  const [, , , , x = 0, y = 0] = item.transform;
  return { text: item.str, x, y, width: item.width, height: item.height };
}
