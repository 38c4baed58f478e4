import { parseFeeds } from "./parse-feed.js";

/** Reads feeds by way of a loader `(url) => Promise<string>`, through a cache. */
export class Reader {
  constructor({ load, cache }) {
    this.load = load;
    this.cache = cache;
    this.failures = [];
  }

  async read(url) {
    const known = this.cache.get(url);
    if (known !== undefined) return known;
    const xml = this.load(url);
    return this.cache.set(url, parseFeeds(xml));
  }

  /** Items of several feeds together, newest first. A feed that fails is noted and left out. */
  async readAll(urls) {
    const feeds = await Promise.all(
      urls.map(async (url) => {
        try {
          return await this.read(url);
        } catch (error) {
          this.failures.push({ url, message: error.message });
          return null;
        }
      }),
    );
    return feeds
      .filter((feed) => feed !== null)
      .flatMap((feed) => feed.items.map((item) => ({ ...item, feed: feed.title })))
      .toSorted((a, b) => b.published - a.published);
  }
}
