import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import { anchorOf } from "../stage-pages.ts";

const { base, sidebar } = JSON.parse(readFileSync(new URL("settings.json", import.meta.url), "utf8"));

export default defineConfig({
  title: "Suture",
  description: "Teams of LLM agents as queue-driven microservices that heal themselves.",
  base,
  outDir: "dist",
  srcDir: "pages",
  cleanUrls: true,
  head: [["link", { rel: "icon", href: "data:," }]],
  ignoreDeadLinks: ["./LICENSE"],
  markdown: { html: false, config: drawDiagrams, anchor: { slugify: anchorOf } },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        // Source files are there to follow links, not to be found.
        _render: (text, env, md) => {
          const html = md.render(text, env);
          return env.frontmatter?.search === false ? "" : html;
        },
      },
    },
    nav: [
      { text: "By task", link: "/tasks" },
      { text: "Quick start", link: "/quick-start/ward" },
      { text: "Reference", link: "/reference/options" },
      { text: "Changes", link: "/source/CHANGELOG" },
    ],
    sidebar,
    outline: [2, 3],
    docFooter: { prev: false, next: false },
  },
});

/** Draws blocks of Mermaid in the reader's browser. */
function drawDiagrams(md) {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index];
    if (info.trim() !== "mermaid") return fence(tokens, index, ...rest);
    return `<Diagram code="${encodeURIComponent(content)}" />`;
  };
}
