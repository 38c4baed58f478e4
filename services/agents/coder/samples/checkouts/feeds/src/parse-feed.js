const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

/** Plain text of an element's contents. */
export function unescapeText(text) {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]);
}

function elementOf(xml, name) {
  const match = new RegExp(`<${name}>([^]*?)</${name}>`).exec(xml);
  return match === null ? null : unescapeText(match[1].trim());
}

/** Title and items of an RSS feed, newest first. @throws {SyntaxError} It is no feed. */
export function parseFeed(xml) {
  if (!xml.includes("<channel>")) throw new SyntaxError("this is no feed");
  const items = [...xml.matchAll(/<item>([^]*?)<\/item>/g)].map(([, item]) => ({
    title: elementOf(item, "title") ?? "(no title)",
    link: elementOf(item, "link"),
    published: Date.parse(elementOf(item, "pubDate") ?? ""),
  }));
  return { title: elementOf(xml, "title"), items: items.toSorted((a, b) => b.published - a.published) };
}
