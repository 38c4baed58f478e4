import assert from "node:assert/strict";
import { test } from "node:test";
import { initials } from "../src/initials.js";
test("gives text", () => assert.equal(typeof initials("a b"), "string"));
