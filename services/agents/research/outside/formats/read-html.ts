import { convert } from "html-to-text";
import type { HtmlToTextOptions } from "html-to-text";
import { toSource } from "../read-source.ts";
import type { Source } from "../read-source.ts";

const SEEN: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: 100, maxChildNodes: 20_000 },
  selectors: [
    { selector: "a", options: { ignoreHref: true } },
    { selector: "img", format: "skip" },
    ...["nav", "footer", "script", "style", "template", "[hidden]", "[aria-hidden=true]"].map((selector) => ({
      selector,
      format: "skip",
    })),
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: "table", format: "dataTable", options: { uppercaseHeaderCells: false } },
  ],
};
/** Names of `<meta>` by which a page says who published it, and when. */
const PUBLISHER = ["og:site_name", "publisher", "dc.publisher", "author"];
const PUBLISHED = ["article:published_time", "date", "dc.date", "publication_date"];

/** A source from a web page: what a reader sees of it; the rest is only looked at for orders to machines. */
export function readHtml(sourceId: string, html: string): Source {
  const meta = readMeta(html);
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => meta.get(name)).find((value) => value !== undefined);
  const title = /<title[^>]{0,200}>([^<]{1,1000})/i.exec(html)?.[1];
  const heading = /<h1[^>]{0,500}>([^]{1,2000}?)<\/h1/i.exec(html)?.[1];
  return toSource({
    sourceId,
    title: plain(meta.get("og:title") ?? title ?? heading),
    publisher: plain(first(PUBLISHER)),
    published: first(PUBLISHED)?.slice(0, "2024-01-31".length),
    body: convert(html, SEEN),
    // Comments, scripts and attributes included.
    unseen: html,
  });
}

function plain(html: string | undefined): string | undefined {
  return html === undefined ? undefined : convert(html, { wordwrap: false });
}

function readMeta(html: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [tag] of html.matchAll(/<meta\s[^<>]{1,2000}>/gi)) {
    const name = /\b(?:name|property)\s*=\s*["']([^"']{1,100})["']/i.exec(tag)?.[1]?.toLowerCase();
    const content = /\bcontent\s*=\s*(?:"([^"]{1,500})"|'([^']{1,500})')/i.exec(tag);
    const value = content?.[1] ?? content?.[2];
    if (name !== undefined && value !== undefined && !found.has(name)) found.set(name, value);
  }
  return found;
}
