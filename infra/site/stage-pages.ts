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
import { languageOf, mapLinks, outsideCode, sitePathOf } from "./site-pages.ts";

export interface SidebarGroup {
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
