// @vitest-environment jsdom
import { expect, it } from "vitest";
import { kindsOf } from "./find.ts";

it.each([
  ["0198c0de-1111-7000-8000-000000000001", ["run", "case", "recipe"]],
  ["refunds/validation_error/9c21f4", ["group"]],
  ["refunds/*/refund@2", ["group"]],
  ["bullmq:orders:17", ["group", "case"]],
  ["AB-7", []],
  ["Ada Lovelace", []],
])("%s may be the id of %j", (text, kinds) => {
  expect(kindsOf(text)).toEqual(kinds);
});
