import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix } from "node:path";

interface SidebarGroup {
  readonly text: string;
  readonly collapsed: boolean;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/** Groups of the sidebar: the pages of each folder, in the order of the site's home. */
const GROUPS: readonly (readonly [text: string, pages: string])[] = [
  ["Quick starts", "docs/quick-start/*.md"],
  ["Guides", "docs/guides/*.md"],
  ["Operating", "docs/operating/*.md"],
  ["Concepts", "docs/*.md"],
  ["Teams", "docs/teams/*.md"],
  ["Reference", "docs/reference/*.md"],
  ["Decisions", "docs/decisions/*.md"],
];

/**
 * Writes the pages of `docs`, and every page and source file that they lead to, below `into`. Links lead to the site's
 * own paths. A link to a file that the tree does not have stays as it is, so that the build refuses it.
 *
 * @returns The sidebar.
 */
export function stagePages(tree: string, into: string): SidebarGroup[] {
  const pages = new Set(
    globSync("docs/**/*.md", { cwd: tree }).filter((page) => !page.includes("/pictures/")),
  );
  // The set grows while it is walked: by what its pages link to.
  for (const page of pages) stageOne({ tree, into, page, pages });
  return GROUPS.map(([text, pattern]) => ({
    text,
    collapsed: !["Quick starts", "Guides"].includes(text),
    items: globSync(pattern, { cwd: tree })
      .filter((page) => !["docs/index.md", "docs/README.md"].includes(page))
      .toSorted()
      .map((page) => ({ text: titleOf(readFileSync(join(tree, page), "utf8")), link: sitePathOf(page) })),
  })).filter(({ items }) => items.length > 0);
}

interface Stage {
  readonly tree: string;
  readonly into: string;
  readonly page: string;
  readonly pages: Set<string>;
}

function stageOne({ tree, into, page, pages }: Stage): void {
  const isMarkdown = page.endsWith(".md");
  const text = readFileSync(join(tree, page), "utf8");
  const resolve = (target: string): string => {
    const path = findTarget(tree, posix.join(posix.dirname(page), decodeURI(target)));
    if (path === null) return target;
    if (path.endsWith(".md") || languageOf(path) !== undefined) pages.add(path);
    else copyAsset(tree, into, path);
    return sitePathOf(path);
  };
  const content = isMarkdown ? mapLinks(text, resolve) : showSource(page, text);
  const isSource = !page.startsWith("docs/");
  const out = join(into, `${sitePathOf(page).replace(/\/$/, "/index")}.md`);
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(
    out,
    `${isSource && !content.startsWith("---") ? "---\nsearch: false\n---\n\n" : ""}${forVue(content)}`,
  );
}

/** Returns the file that a link means: a folder stands for its README, else for its first page. */
function findTarget(tree: string, path: string): string | null {
  if (path.startsWith("..") || !existsSync(join(tree, path))) return null;
  if (!statSync(join(tree, path)).isDirectory()) return path;
  const readme = posix.join(path, "README.md");
  if (existsSync(join(tree, readme))) return readme;
  return globSync(posix.join(path, "*.{md,ts}"), { cwd: tree }).toSorted()[0] ?? null;
}

function copyAsset(tree: string, into: string, path: string): void {
  const out = join(into, "public", sitePathOf(path));
  mkdirSync(dirname(out), { recursive: true });
  copyFileSync(join(tree, path), out);
}

function showSource(path: string, text: string): string {
  const fence = "`".repeat(6);
  return `# ${path}\n\n${fence}${languageOf(path) ?? "text"}\n${text.trimEnd()}\n${fence}\n`;
}

/** VitePress compiles pages as Vue templates: comments are left out, and braces are no expressions. */
function forVue(text: string): string {
  return outsideCode(text.replaceAll(/^<!--[^]*?-->\n/gm, ""), (part) =>
    part.replaceAll("{{", "&#123;&#123;"),
  );
}

function titleOf(text: string): string {
  return (/^# (.+)$/m.exec(text)?.[1] ?? "").replaceAll("`", "");
}

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

function languageOf(path: string): string | undefined {
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
