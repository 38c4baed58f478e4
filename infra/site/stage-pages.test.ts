import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { anchorOf, mapLinks, outsideCode, sitePathOf, stagePages } from "./stage-pages.ts";

it("stages pages whose links all lead to a page or a file of the site", () => {
  const into = mkdtempSync(join(tmpdir(), "suture-site-"));
  onTestFinished(() => rmSync(into, { recursive: true }));
  const sidebar = stagePages(".", into);
  const pageOf = (path: string): string =>
    [`${path}.md`, `${path}/index.md`, `${path}index.md`].find((file) => existsSync(join(into, file))) ?? "";
  const isThere = (path: string): boolean =>
    [`${path}.md`, `${path}/index.md`, `${path}index.md`, `public${path}`].some((file) =>
      existsSync(join(into, file)),
    );
  const pages = globSync("**/*.md", { cwd: into });
  const anchors = (path: string): string[] =>
    [...readFileSync(join(into, pageOf(path)), "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      anchorOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")),
    );
  const dead = pages.flatMap((page) => {
    const found: string[] = [];
    outsideCode(readFileSync(join(into, page), "utf8"), (part) => {
      for (const [, target = "", anchor = ""] of part.matchAll(/\]\((?![a-z]+:)([^)\s#]*)#?([^)\s]*)/g)) {
        const path = target === "" ? `/${page.slice(0, -".md".length)}` : target;
        if (!isThere(path) || (anchor !== "" && !anchors(path).includes(anchor)))
          found.push(`${page}: ${target}#${anchor}`);
      }
      return part;
    });
    return found;
  });
  expect(dead).toEqual([]);
  expect(pages).toContain("guides/tools.md");
  expect(pages).toContain("source/CHANGELOG.md");
  const links = sidebar.flatMap(({ items }) => items.map(({ link }) => link));
  expect(links.filter((link) => !isThere(link))).toEqual([]);
  expect(links.length).toBeGreaterThan(60);
});

it("changes links and images outside code, and no addresses", () => {
  const text =
    "[a](b.md#c) ![d](e.png) `[f](g.md)` [h](https://example.org/i.md)\n```sh\n[j](k.md)\n```\n[l](m.md)";
  expect(mapLinks(text, (target) => target.toUpperCase())).toBe(
    "[a](B.MD#c) ![d](E.PNG) `[f](g.md)` [h](https://example.org/i.md)\n```sh\n[j](k.md)\n```\n[l](M.MD)",
  );
});

it.each([
  ["docs/index.md", "/"],
  ["docs/README.md", "/tasks"],
  ["docs/guides/tools.md", "/guides/tools"],
  ["docs/operating/README.md", "/operating/"],
  ["shared/model/README.md", "/source/shared/model/"],
  ["tests/a.test.ts", "/source/tests/a.test.ts"],
])("gives %s the address %s", (path, address) => {
  expect(sitePathOf(path)).toBe(address);
});
