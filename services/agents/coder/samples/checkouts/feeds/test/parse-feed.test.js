import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFeed, unescapeText } from "../src/parse-feed.js";

test("what is no feed is refused", () => {
  assert.throws(() => parseFeed("<html></html>"), SyntaxError);
});

test("entities are written out", () => {
  assert.equal(unescapeText("Tom &amp; Jerry &lt;3"), "Tom & Jerry <3");
});
