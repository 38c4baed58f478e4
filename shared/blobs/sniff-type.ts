import { BlobTypeMismatchError, BlobTypeRefusedError } from "./errors.ts";

/** Bytes from the beginning that tell the type of a content. */
export const SNIFFED_BYTES = 1024;

interface Mark {
  readonly type: string;
  /** Latin-1 text at `at`. */
  readonly text: string;
  readonly at?: number;
}

const MARKS: readonly Mark[] = [
  { type: "image/png", text: "\x89PNG\r\n\x1a\n" },
  { type: "image/jpeg", text: "\xff\xd8\xff" },
  { type: "image/gif", text: "GIF8" },
  { type: "image/webp", text: "WEBP", at: 8 },
  { type: "image/bmp", text: "BM" },
  { type: "image/tiff", text: "II*\0" },
  { type: "image/tiff", text: "MM\0*" },
  { type: "application/zip", text: "PK\x03\x04" },
  { type: "application/gzip", text: "\x1f\x8b" },
  { type: "application/x-executable", text: "\x7fELF" },
  { type: "application/x-mach-binary", text: "\xcf\xfa\xed\xfe" },
  { type: "application/x-mach-binary", text: "\xfe\xed\xfa\xcf" },
  { type: "application/x-mach-binary", text: "\xca\xfe\xba\xbe" },
  { type: "application/wasm", text: "\0asm" },
  { type: "text/x-script", text: "#!" },
];

/** A PDF's mark may stand behind other bytes, and readers take it there. */
const PDF_MARK = "%PDF-";
/** Offset, in a DOS head, of the place at which the head of a Windows program begins. */
const PE_OFFSET_AT = 0x3c;

const PROGRAMS: ReadonlySet<string> = new Set([
  "application/vnd.microsoft.portable-executable",
  "application/x-executable",
  "application/x-mach-binary",
  "application/wasm",
  "text/x-script",
]);

/** Returns true for types of programs. */
export function isProgram(type: string): boolean {
  return PROGRAMS.has(type);
}

/**
 * Says what type a content is by its first bytes alone. @param head - The first `SNIFFED_BYTES` bytes, or all.
 * @returns A media type, or null: nothing that is known here by its bytes. Text is told by `isText`.
 */
export function sniffType(head: Uint8Array): string | null {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SNIFFED_BYTES)).toString(
    "latin1",
  );
  if (isWindowsProgram(text)) return "application/vnd.microsoft.portable-executable";
  const found = MARKS.find((mark) => text.startsWith(mark.text, mark.at ?? 0));
  if (found !== undefined) return found.type;
  if (text.includes(PDF_MARK)) return "application/pdf";
  return /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|Invoice|CreditNote)\b/.test(text) ? "application/xml" : null;
}

/** "MZ" may begin a text, too: the second head, or that there is nothing printable, makes it a program. */
function isWindowsProgram(text: string): boolean {
  if (!text.startsWith("MZ")) return false;
  const at = Buffer.from(text.slice(PE_OFFSET_AT, PE_OFFSET_AT + 4), "latin1");
  const offset = at.length === 4 ? at.readUInt32LE(0) : -1;
  return text.startsWith("PE\0\0", offset) || text.includes("\0");
}

const UNKNOWN_TYPE = "application/octet-stream";
/** Types whose content begins in a way of its own: who claims one has to bring it. */
const KNOWN_BY_BYTES = /^(?:image\/(?:png|jpeg|gif|webp|bmp|tiff)|application\/(?:pdf|zip|gzip|wasm))$/;

/** The type by the bytes, or else as the sender says. @throws {BlobTypeRefusedError | BlobTypeMismatchError} */
export function settleType(said: string, head: Uint8Array): string {
  const found = sniffType(head);
  if (found !== null && isProgram(found)) throw new BlobTypeRefusedError(found);
  if (KNOWN_BY_BYTES.test(said) && said !== found)
    throw new BlobTypeMismatchError({ said, found: found ?? UNKNOWN_TYPE });
  return said === UNKNOWN_TYPE && found !== null ? found : said;
}
