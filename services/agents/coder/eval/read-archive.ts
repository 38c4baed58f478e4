import { readdirSync, readFileSync } from "node:fs";

/** One labelled checkout: a bug report, the files, and tests that the team never sees. */
export interface LabelledCheckout {
  readonly name: string;
  readonly report: string;
  /** Kind of bug, in words. */
  readonly kind: string;
  /** How much of the bug the checkout's tests show: all, too little, nothing, or something else. */
  readonly suite: "strong" | "weak" | "none" | "by hand";
  /** The status that a good team gives. */
  readonly expect: string;
  readonly language: string;
  readonly runner: string;
  readonly files: ReadonlyMap<string, string>;
  /** Tests that tell a right fix from a wrong one, by their paths in the checkout. */
  readonly hidden: ReadonlyMap<string, string>;
}

const HIDDEN = "hidden/";

/** Reads a folder of labelled checkouts, sorted by name. Each is a text archive: fields, then files. */
export function readArchives(folder: URL): LabelledCheckout[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".txtar"));
  return names.toSorted().map((name) => readArchive(name, readFileSync(new URL(name, folder), "utf8")));
}

/** Reads `name: value` lines up to the first `-- path --`, then each file up to the next such line. */
function readArchive(name: string, text: string): LabelledCheckout {
  const [head = "", ...parts] = text.split(/^-- (.+) --\n/m);
  const fields = new Map(
    head.split("\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const files = new Map<string, string>();
  const hidden = new Map<string, string>();
  for (let index = 0; index < parts.length; index += 2) {
    const path = parts[index] ?? "";
    if (path.startsWith(HIDDEN)) hidden.set(path.slice(HIDDEN.length), parts[index + 1] ?? "");
    else files.set(path, parts[index + 1] ?? "");
  }
  const field = (key: string): string => fields.get(key) ?? "";
  return {
    name: name.replace(/\.txtar$/, ""),
    report: field("report"),
    kind: field("kind"),
    suite: "by hand",
    expect: field("expect"),
    language: field("language"),
    runner: field("runner"),
    files,
    hidden,
  };
}
