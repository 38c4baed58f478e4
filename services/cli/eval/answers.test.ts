import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { AnswerFolder } from "./answers.ts";

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "suture-answers-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "kept");
}

it("gives each asking of one request an answer of its own, and a repeat the same ones in turn", () => {
  const path = openFolder();
  const first = new AnswerFolder(path, "http://a/v1");
  for (const vote of ["yes", "no", "yes"]) first.keep(first.placeFor("q"), vote);
  const again = new AnswerFolder(path, "http://a/v1");
  expect(["q", "q", "q", "q"].map((request) => again.read(again.placeFor(request)))).toEqual([
    "yes",
    "no",
    "yes",
    null,
  ]);
});

it("keeps endpoints and requests apart, and answers for this user alone", () => {
  const path = openFolder();
  const one = new AnswerFolder(path, "http://a/v1");
  one.keep(one.placeFor("q"), "yes");
  expect(one.read(one.placeFor("r"))).toBeNull();
  const other = new AnswerFolder(path, "http://b/v1");
  expect(other.read(other.placeFor("q"))).toBeNull();
  expect(statSync(path).mode & 0o077).toBe(0);
  for (const file of readdirSync(path)) expect(statSync(join(path, file)).mode & 0o077).toBe(0);
});
