import assert from "node:assert/strict";
import { test } from "node:test";
import { Cache } from "../src/cache.js";
import { Reader } from "../src/reader.js";

const feed = (title, items) =>
  `<rss><channel><title>${title}</title>${items
    .map(([name, date]) => `<item><title>${name}</title><link>https://example.org/${name}</link><pubDate>${date}</pubDate></item>`)
    .join("")}</channel></rss>`;

const FEEDS = {
  "a.xml": feed("A", [["old", "Mon, 01 Jan 2024 10:00:00 GMT"], ["new", "Wed, 03 Jan 2024 10:00:00 GMT"]]),
  "b.xml": feed("B &amp; C", [["middle", "Tue, 02 Jan 2024 10:00:00 GMT"]]),
};

function openReader() {
  const loads = [];
  let at = 0;
  const load = async (url) => {
    loads.push(url);
    if (!(url in FEEDS)) throw new Error("not found");
    return FEEDS[url];
  };
  const reader = new Reader({ load, cache: new Cache({ lifeMs: 1000, now: () => at }) });
  return { reader, loads, pass: (ms) => (at += ms) };
}

test("a feed is read, newest first", async () => {
  const { reader } = openReader();
  const { title, items } = await reader.read("a.xml");
  assert.equal(title, "A");
  assert.deepEqual(items.map((item) => item.title), ["new", "old"]);
});

test("a feed is loaded once while it is fresh", async () => {
  const { reader, loads, pass } = openReader();
  await reader.read("a.xml");
  await reader.read("a.xml");
  assert.deepEqual(loads, ["a.xml"]);
  pass(1000);
  await reader.read("a.xml");
  assert.equal(loads.length, 2);
});

test("several feeds are read together", async () => {
  const { reader } = openReader();
  const items = await reader.readAll(["a.xml", "b.xml"]);
  assert.deepEqual(items.map(({ feed: from, title }) => `${from}: ${title}`), ["A: new", "B & C: middle", "A: old"]);
});

test("a feed that fails is noted", async () => {
  const { reader } = openReader();
  assert.equal((await reader.readAll(["b.xml", "c.xml"])).length, 1);
  assert.deepEqual(reader.failures, [{ url: "c.xml", message: "not found" }]);
});
