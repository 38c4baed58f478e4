import { posix } from "node:path";

/** Languages of the source files that pages link to, by ending; files of other kinds are copied as they are. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ".ts": "ts",
  ".mjs": "js",
  ".js": "js",
  ".lua": "lua",
  ".yml": "yaml",
  ".sh": "sh",
  ".proto": "proto",
  "": "text",
};

export function languageOf(path: string): string | undefined {
  return LANGUAGES[posix.extname(path)];
}

/**
 * Returns the site's path of a file of the repository, without an ending for pages: `docs/guides/tools.md` is
 * `/guides/tools`, a file outside `docs` stands below `/source`.
 */
export function sitePathOf(path: string): string {
  if (path === "docs/README.md") return "/tasks";
  if (path === "docs/index.md") return "/";
  const isDoc = path.startsWith("docs/");
  const own = isDoc ? path.slice("docs/".length) : `source/${path}`;
  const page = own.endsWith(".md") ? own.slice(0, -".md".length) : own;
  return `/${page.replace(/(^|\/)README$/, "$1")}`;
}

/** Returns a page with each relative link and image changed by `resolve`; code blocks stay as they are. */
export function mapLinks(text: string, resolve: (target: string) => string): string {
  return outsideCode(text, (part) =>
    part.replaceAll(
      /(\]\()(?![a-z]+:|#|\/)([^)\s#]+)(#[^)\s]*)?(\))/g,
      (_all, open: string, target: string, anchor: string | undefined, close: string) =>
        `${open}${resolve(target)}${anchor ?? ""}${close}`,
    ),
  );
}

/** Returns the anchor of a heading, by GitHub's rule, so that one link holds there and on the site. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

/** Applies `change` to what stands outside fenced code blocks and code spans. */
export function outsideCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(^ *```[^]*?^ *```[^\n]*$|`[^`\n]+`)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");
}
