import fc from "fast-check";
import { expect, it } from "vitest";
import { readEmailText } from "./read-email.ts";

it("takes sender and subject from the lines on top, in any order and case, and the rest as the body", () => {
  expect(readEmailText("subject: Hello\r\nFROM: a@b.example\r\n\r\nFirst.\r\nFrom: nobody")).toEqual({
    from: "a@b.example",
    subject: "Hello",
    body: "First.\nFrom: nobody",
  });
});

it("makes up no sender", () => {
  expect(readEmailText("It arrived broken.")).toEqual({ body: "It arrived broken." });
});

it("keeps every word of what is no head line", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(readEmailText(`From: a@b.example\n\n${text}`).body).toBe(text.replaceAll(/\r\n?/g, "\n").trim());
    }),
  );
});
