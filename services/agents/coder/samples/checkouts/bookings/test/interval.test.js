import assert from "node:assert/strict";
import { test } from "node:test";
import { contains, formatTime, interval, overlaps, parseTime } from "../src/interval.js";

test("an interval ends after it starts", () => {
  assert.throws(() => interval(600, 600), RangeError);
  assert.throws(() => interval(-1, 600), RangeError);
});

test("intervals overlap where they share a minute", () => {
  assert.equal(overlaps(interval(540, 600), interval(570, 630)), true);
  assert.equal(overlaps(interval(540, 600), interval(700, 730)), false);
});

test("an interval that ends where another starts does not overlap it", () => {
  assert.equal(overlaps(interval(540, 600), interval(600, 660)), false);
  assert.equal(overlaps(interval(600, 660), interval(540, 600)), false);
});

test("an interval contains itself", () => {
  assert.equal(contains(interval(540, 600), interval(540, 600)), true);
});

test("times are read and written", () => {
  assert.equal(parseTime("9:05"), 545);
  assert.equal(formatTime(545), "09:05");
  assert.throws(() => parseTime("24:01"), RangeError);
});
