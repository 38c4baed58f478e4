import { createHash, timingSafeEqual } from "node:crypto";
import { readFile, rename, rm, stat } from "node:fs/promises";
import { uuidv7, wallNow } from "#shared/clock";

const TOKEN = /^[A-Za-z0-9_-]{32,200}$/;

/**
 * Uses up the token of a login link. The launcher leaves it in a file; who renames the file first has it, so that of
 * two that come at once, in this process or another, one gets in.
 *
 * @param presented - What came with the link.
 * @param lifeMs - A file that was written longer ago counts for nothing.
 * @returns whether it was the token, was young enough, and had not been used.
 */
export async function takeLoginToken(
  presented: string,
  login: { readonly file: string; readonly lifeMs: number },
): Promise<boolean> {
  const expected = await readToken(login);
  if (expected === null || !isSame(presented, expected)) return false;
  const used = `${login.file}.${uuidv7()}`;
  try {
    await rename(login.file, used);
  } catch {
    return false;
  }
  await rm(used, { force: true });
  return true;
}

async function readToken(login: { readonly file: string; readonly lifeMs: number }): Promise<string | null> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(login.file, "utf8"), stat(login.file)]);
    const token = text.trim();
    return TOKEN.test(token) && wallNow() - mtimeMs <= login.lifeMs ? token : null;
  } catch {
    return null;
  }
}

function isSame(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
