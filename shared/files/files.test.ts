import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { encode as encodePng } from "fast-png";
import { describe, expect, test } from "vitest";
import { readUntrustedFile, findLetters } from "./read-untrusted-file.ts";
import type { FileToRead } from "./read-untrusted-file.ts";
import { FILE_LIMITS_DEFAULT } from "./reading.ts";

const MEBIBYTE = 1024 * 1024;

/** Returns a PDF of one page whose content stream is these bytes, packed. */
function pdfOf(content: Buffer): Buffer {
  const packed = deflateSync(content);
  const objects: Buffer[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
    `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ].map((text, index) =>
    index === 3 ? Buffer.concat([Buffer.from(text), packed, Buffer.from("\nendstream")]) : Buffer.from(text),
  );
  let file = Buffer.from("%PDF-1.4\n");
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file = Buffer.concat([file, Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.concat([file, Buffer.from(end)]);
}

const LINE = "BT /F 12 Tf 10 100 Td (Hello) Tj ET\n";

const read = (bytes: Uint8Array, more: Partial<FileToRead> = {}) =>
  readUntrustedFile({ bytes, type: "application/pdf", signal: new AbortController().signal, ...more });

describe("a file read in a process of its own", () => {
  test("gives its text where it is sound", async () => {
    const found = await read(pdfOf(Buffer.from(LINE)));
    expect(found).toEqual({ reading: { kind: "pages", pages: ["Hello"], ocr: null } });
  });

  test.each([
    ["a page that unpacks to 300 MiB of nothing", Buffer.alloc(300 * MEBIBYTE, " ")],
    [
      "a million words in one place",
      Buffer.from(`BT /F 12 Tf ${"1 0 0 1 9 99 Tm (word) Tj ".repeat(MEBIBYTE)} ET`),
    ],
  ])("is given up at its bounds: %s", async (_what, content) => {
    const before = process.memoryUsage().rss;
    const found = await read(pdfOf(content), {
      limits: { ...FILE_LIMITS_DEFAULT, readMs: 4000, memoryBytesMax: 192 * MEBIBYTE },
    });
    expect(found).toMatchObject({ fault: expect.stringMatching(/^too_(?:slow|much_memory|much_text)$/) });
    // The content itself lives here; the child's copy of it does not.
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * MEBIBYTE);
  });

  test("is given up at its bound of memory: a picture whose pixels unpack to a hundred times what it declares", async () => {
    const sound = Buffer.from(encodePng({ width: 10, height: 10, channels: 3, data: new Uint8Array(300) }));
    const at = sound.indexOf("IDAT") - 4;
    const body = deflateSync(Buffer.alloc(300 * MEBIBYTE));
    const chunk = Buffer.alloc(8);
    chunk.writeUInt32BE(body.length);
    chunk.write("IDAT", 4);
    const bomb = Buffer.concat([
      sound.subarray(0, at),
      chunk,
      body,
      sound.subarray(at + sound.readUInt32BE(at) + 8),
    ]);
    const found = await read(bomb, {
      type: "image/png",
      limits: { ...FILE_LIMITS_DEFAULT, memoryBytesMax: 192 * MEBIBYTE },
    });
    expect(found).toMatchObject({ fault: expect.stringMatching(/^(?:damaged|too_much_memory)$/) });
  });

  test("is given up when its process takes more memory than it may, whatever of it is the heap's", async () => {
    const limits = { ...FILE_LIMITS_DEFAULT, memoryBytesMax: 48 * MEBIBYTE };
    expect(await read(pdfOf(Buffer.from(LINE)), { limits })).toEqual({ fault: "too_much_memory" });
  });

  test("is given up when its time is over", async () => {
    const found = await read(pdfOf(Buffer.from(LINE)), { limits: { ...FILE_LIMITS_DEFAULT, readMs: 1 } });
    expect(found).toEqual({ fault: "too_slow" });
  });

  test("is let go when whoever wanted it gives up, with the reason", async () => {
    const stop = new AbortController();
    const found = read(pdfOf(Buffer.from(LINE)), { signal: stop.signal });
    stop.abort(new Error("the run was cancelled"));
    await expect(found).rejects.toThrow("the run was cancelled");
  });
});

const FILES = new URL("../../services/agents/documents/eval/files/", import.meta.url);

const isInstalled = Object.keys(findLetters()).includes("eng");

function readPages(name: string, more: Partial<FileToRead> = {}) {
  const type = name.endsWith(".pdf") ? "application/pdf" : name.endsWith(".png") ? "image/png" : "image/jpeg";
  return readUntrustedFile({
    bytes: readFileSync(new URL(name, FILES)),
    type,
    signal: new AbortController().signal,
    ...more,
  });
}

describe.skipIf(!isInstalled)("pictures of text, with the optional packages of tesseract installed", () => {
  test("are read off the pages of a PDF that have no text, in the sandbox", async () => {
    const found = await readPages("mixed-pdf.pdf");
    expect(found).toMatchObject({
      reading: { kind: "pages", ocr: { languages: ["eng"], pages: [2], unread: [] } },
    });
    expect(JSON.stringify(found)).toContain("dredging of the inner basin");
  });

  test("are readPages with columns apart, and words that were hardly read marked", async () => {
    const found = await readPages("photo-pl-paragon.jpg");
    expect(found).toMatchObject({ reading: { kind: "picture", ocr: { unread: [], doubtful: 3 } } });
    const { text } = (found as { reading: { text: string } }).reading;
    expect(text).toMatch(/GOTOWKA {3}20,00/);
    expect(text).toContain("15,50[?]");
  });

  test("in letters that the reader has not are unread, not guessed", async () => {
    const found = await readPages("scan-el-letter.png");
    expect(found).toMatchObject({
      reading: { text: null, ocr: { languages: ["eng"], pages: [], unread: [1] } },
    });
  });

  test("for which there is no time stay what they are, and are named as unread", async () => {
    const limits = { ...FILE_LIMITS_DEFAULT, ocrMs: -1 };
    expect(await readPages("scan-en-letter.png", { limits })).toMatchObject({
      reading: { kind: "picture", width: 1150, text: null, ocr: { pages: [], unread: [1] } },
    });
    expect(await readPages("scan-en-invoice.pdf", { limits })).toEqual({ fault: "scan_unread" });
  });
});

test("without a reader of letters pictures of text are unread, and say why", async () => {
  const letters = {};
  expect(await readPages("mixed-pdf.pdf", { letters })).toMatchObject({
    reading: { ocr: { languages: [], pages: [], unread: [2] } },
  });
  expect(await readPages("scan-en-invoice.pdf", { letters })).toEqual({ fault: "scan_unread" });
  expect(await readPages("scan-en-letter.png", { letters })).toMatchObject({
    reading: { kind: "picture", text: null, ocr: { languages: [], unread: [1] } },
  });
});
