import { isHistory, isProjectPath } from "../checkout/project-path.ts";

/** One line of a hunk: kept, taken away or put in. */
export interface HunkLine {
  readonly sign: " " | "-" | "+";
  /** With its line break, unless the file ends without one. */
  readonly text: string;
}

export interface Hunk {
  /** First line in the old file, from 1; 0 in an empty one. */
  readonly oldStart: number;
  readonly lines: readonly HunkLine[];
}

/** What a diff does with one file. */
export interface FilePatch {
  readonly path: string;
  readonly action: "change" | "add" | "remove";
  readonly hunks: readonly Hunk[];
}

/** What a text is as a diff; or why it is none, with the line of the text, from 1, at which it breaks off. */
export type ParsedDiff =
  | { readonly ok: true; readonly files: readonly FilePatch[] }
  | { readonly ok: false; readonly line: number; readonly problem: string };

const HUNK = /^@@ -(\d{1,7})(?:,(\d{1,7}))? \+(\d{1,7})(?:,(\d{1,7}))? @@(?: .*)?$/;
const IGNORED =
  /^(?:diff --git |index [0-9a-f]+\.\.[0-9a-f]+(?: 100644| 100755)?$|new file mode 100644$|deleted file mode 100\d{3}$)/;
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^(?:GIT binary patch|Binary files )/, "binary changes are refused"],
  [/^(?:new|deleted) file mode (?:120000|160000)|^index .* (?:120000|160000)$/, "links are refused"],
  [/^(?:old|new) mode |^new file mode /, "changes of a file's mode are refused"],
  [
    /^(?:rename|copy) (?:from|to) |^(?:dis)?similarity index /,
    "renames are refused: remove one file and add the other",
  ],
];

/** Leaves the reader; never leaves this file. */
class UnreadableDiff extends Error {
  readonly line: number;

  constructor(line: number, problem: string) {
    super(problem);
    this.line = line;
  }
}

/**
 * Reads a unified diff, strictly: `--- a/path`, `+++ b/path` and hunks whose counts are right, with what git writes
 * around them. Paths lie inside the project; links, binaries, modes and renames are refused. Never throws.
 */
export function parseDiff(text: string): ParsedDiff {
  try {
    const files = new DiffReader(text).readFiles();
    return { ok: true, files };
  } catch (error) {
    if (!(error instanceof UnreadableDiff)) throw error;
    return { ok: false, line: error.line, problem: error.message };
  }
}

class DiffReader {
  private readonly lines: readonly string[];
  private at = 0;

  constructor(text: string) {
    const lines = text.split("\n");
    // The last line break ends the last line; it begins none.
    this.lines = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  }

  readFiles(): FilePatch[] {
    const files: FilePatch[] = [];
    for (this.skipHeaders(); this.at < this.lines.length; this.skipHeaders()) files.push(this.readFile());
    if (files.length === 0) this.refuse("the diff changes no file");
    const paths = files.map(({ path }) => path);
    if (new Set(paths).size < paths.length)
      this.refuse("a file is changed in two places: write its hunks together");
    return files;
  }

  /** What git writes between files. Anything else there is no diff. */
  private skipHeaders(): void {
    for (; this.at < this.lines.length; this.at += 1) {
      const line = this.lines[this.at] ?? "";
      const refused = REFUSED.find(([pattern]) => pattern.test(line) && !IGNORED.test(line));
      if (refused !== undefined) this.refuse(refused[1]);
      if (line.startsWith("--- ")) return;
      if (line !== "" && !IGNORED.test(line)) this.refuse("neither a header nor part of a hunk");
    }
  }

  private readFile(): FilePatch {
    const from = this.readPath("--- ", "a/");
    this.at += 1;
    const to = this.readPath("+++ ", "b/");
    this.at += 1;
    if (from === null && to === null) this.refuse("neither file is named");
    if (from !== null && to !== null && from !== to) this.refuse("renames are refused");
    const path = from ?? to ?? "";
    const hunks: Hunk[] = [];
    while ((this.lines[this.at] ?? "").startsWith("@@")) hunks.push(this.readHunk());
    if (hunks.length === 0) this.refuse("a file without hunks");
    return { path, action: from === null ? "add" : to === null ? "remove" : "change", hunks };
  }

  /** The path a header names; null for /dev/null. */
  private readPath(prefix: string, side: string): string | null {
    const line = this.lines[this.at] ?? "";
    if (!line.startsWith(prefix)) this.refuse(`expected a line with ${prefix.trim()}`);
    const written = (line.slice(prefix.length).split("\t")[0] ?? "").trimEnd();
    if (written === "/dev/null") return null;
    const path = written.startsWith(side) ? written.slice(side.length) : written;
    if (!isProjectPath(path)) this.refuse("the path does not lie inside the project");
    if (isHistory(path)) this.refuse("the project's history is not to be changed");
    return path;
  }

  private readHunk(): Hunk {
    const header = HUNK.exec(this.lines[this.at] ?? "");
    if (header === null) this.refuse("a hunk's header is of the form @@ -1,2 +1,2 @@");
    const [, oldStart = "0", oldCount = "1", , newCount = "1"] = header ?? [];
    this.at += 1;
    let [oldLeft, newLeft] = [Number(oldCount), Number(newCount)];
    const lines: HunkLine[] = [];
    while (oldLeft > 0 || newLeft > 0) {
      const line = this.readLine();
      if (line.sign !== "+") oldLeft -= 1;
      if (line.sign !== "-") newLeft -= 1;
      if (oldLeft < 0 || newLeft < 0) this.refuse("the hunk has more lines than its header says");
      lines.push(line);
    }
    if (/^[-+ ]/.test(this.lines[this.at] ?? "") && !/^(?:--- |\+\+\+ )/.test(this.lines[this.at] ?? ""))
      this.refuse("the hunk has more lines than its header says");
    return { oldStart: Number(oldStart), lines };
  }

  private readLine(): HunkLine {
    const line = this.lines[this.at];
    if (line === undefined) this.refuse("the hunk has fewer lines than its header says");
    // Editors and models drop the one space of an empty line that is kept.
    const sign = line === "" ? " " : (line ?? "").slice(0, 1);
    if (sign !== " " && sign !== "-" && sign !== "+")
      this.refuse("a line of a hunk begins with space, - or +");
    this.at += 1;
    const isLast = (this.lines[this.at] ?? "").startsWith("\\ ");
    if (isLast) this.at += 1;
    return { sign, text: `${(line ?? "").slice(1)}${isLast ? "" : "\n"}` };
  }

  private refuse(problem: string): never {
    throw new UnreadableDiff(Math.min(this.at + 1, this.lines.length), problem);
  }
}
