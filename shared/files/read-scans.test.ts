import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findLetters, readUntrustedFile } from "./read-untrusted-file.ts";
import type { FileToRead } from "./read-untrusted-file.ts";
import { FILE_LIMITS_DEFAULT } from "./reading.ts";

const FILES = new URL("../../services/agents/documents/eval/files/", import.meta.url);

const isInstalled = Object.keys(findLetters()).includes("eng");

function read(name: string, more: Partial<FileToRead> = {}) {
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
    const found = await read("mixed-pdf.pdf");
    expect(found).toMatchObject({
      reading: { kind: "pages", ocr: { languages: ["eng"], pages: [2], unread: [] } },
    });
    expect(JSON.stringify(found)).toContain("dredging of the inner basin");
  });

  test("are read with columns apart, and words that were hardly read marked", async () => {
    const found = await read("photo-pl-paragon.jpg");
    expect(found).toMatchObject({ reading: { kind: "picture", ocr: { unread: [], doubtful: 3 } } });
    const { text } = (found as { reading: { text: string } }).reading;
    expect(text).toMatch(/GOTOWKA {3}20,00/);
    expect(text).toContain("15,50[?]");
  });

  test("in letters that the reader has not are unread, not guessed", async () => {
    const found = await read("scan-el-letter.png");
    expect(found).toMatchObject({
      reading: { text: null, ocr: { languages: ["eng"], pages: [], unread: [1] } },
    });
  });

  test("for which there is no time stay what they are, and are named as unread", async () => {
    const limits = { ...FILE_LIMITS_DEFAULT, ocrMs: -1 };
    expect(await read("scan-en-letter.png", { limits })).toMatchObject({
      reading: { kind: "picture", width: 1150, text: null, ocr: { pages: [], unread: [1] } },
    });
    expect(await read("scan-en-invoice.pdf", { limits })).toEqual({ fault: "scan_unread" });
  });
});

test("without a reader of letters pictures of text are unread, and say why", async () => {
  const letters = {};
  expect(await read("mixed-pdf.pdf", { letters })).toMatchObject({
    reading: { ocr: { languages: [], pages: [], unread: [2] } },
  });
  expect(await read("scan-en-invoice.pdf", { letters })).toEqual({ fault: "scan_unread" });
  expect(await read("scan-en-letter.png", { letters })).toMatchObject({
    reading: { kind: "picture", text: null, ocr: { languages: [], unread: [1] } },
  });
});
