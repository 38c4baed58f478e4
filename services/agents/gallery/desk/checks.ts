import { SnippetRefusedError } from "../errors.ts";

const LICENCE = /SPDX-License-Identifier:\s*([\w.+-]{1,40})/;
const COLUMNS_MAX = 120;

/** Returns the licence that the code names. @throws {SnippetRefusedError} It names none. */
export function readLicence(code: string): string {
  const licence = LICENCE.exec(code)?.[1];
  if (licence === undefined) throw new SnippetRefusedError("it names no licence");
  return licence;
}

/** Returns the number of lines. @throws {SnippetRefusedError} One is too long for a card. */
export function countLines(code: string): number {
  const lines = code.trimEnd().split("\n");
  const long = lines.findIndex((line) => line.length > COLUMNS_MAX);
  if (long >= 0) throw new SnippetRefusedError(`line ${long + 1} has more than ${COLUMNS_MAX} columns`);
  return lines.length;
}

/** Returns true for balanced brackets. @throws {SnippetRefusedError} The code was cut off. */
export function checkWhole(code: string): boolean {
  const open = code.match(/[([{]/g)?.length ?? 0;
  const closed = code.match(/[)\]}]/g)?.length ?? 0;
  if (open !== closed) throw new SnippetRefusedError(`${open} brackets open and ${closed} close`);
  return true;
}
