import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

/** One file of the page, as it is sent. */
export interface WebFile {
  readonly name: string;
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Reads the page's files once: what is not among them cannot be asked for. @param folder - Holds files only. */
export function readWebFiles(folder: string): WebFile[] {
  return readdirSync(folder).flatMap((name) => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const body = readFileSync(join(folder, name));
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
    return [{ name, type, body, etag }];
  });
}
