import { writeFileSync } from "node:fs";
import type { ChildAnswer } from "./answer.ts";
import { PACKAGES_MISSING } from "./exit.ts";

// A process for one PDF of strangers: its bytes come in, its pages' text goes out, and nothing else can be reached.

/** The file descriptor on which the answer is awaited. */
const RESULT = 3;

async function takeAll(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // Without an encoding standard input gives buffers.
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const { extractText, getDocumentProxy } = await import("unpdf").catch(() => process.exit(PACKAGES_MISSING));

async function read(bytes: Buffer, pagesMax: number): Promise<ChildAnswer> {
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes), {
      stopAtErrors: true,
      verbosity: 0,
      useSystemFonts: false,
      disableFontFace: true,
    });
    if (document.numPages > pagesMax) return { fault: "too_many_pages" };
    const { text: pages } = await extractText(document, { mergePages: false });
    return pages.every((page) => page.trim() === "") ? { fault: "without_text" } : { pages };
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    return { fault: isLocked ? "encrypted" : "damaged" };
  }
}

writeFileSync(RESULT, JSON.stringify(await read(await takeAll(), Number(process.argv[2]))));
process.exit(0);
