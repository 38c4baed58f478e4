import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { splitEmail, readEmailText } from "./read-email.ts";

describe("the customer's own words", () => {
  it.each([
    ["On Mon, 3 May 2026 at 10:12, Shop <help@shop.example> wrote:\n\nYour refund is approved."],
    ["Am 03.05.2026 um 10:12 schrieb Shop:\nIhre Erstattung ist bewilligt."],
    ["2026年5月3日(日) 10:12 Shop <help@shop.example>:\n返金します。"],
    ["-----Original Message-----\nYour refund is approved."],
    ["-- \nKim, 10 High Street"],
    ["> Your refund is approved."],
  ])("end where mail programs quote: %j", (rest) => {
    const { text, quoted } = splitEmail(`Where is my parcel?\n\n${rest}`);
    expect(text).toBe("Where is my parcel?");
    expect(quoted).toContain(rest.split("\n").at(-1));
  });

  it("go on after a colon, and are the whole of a mail that only forwards", () => {
    const text = "On 3 May 2026 I bought these:\ntwo lamps.";
    expect(splitEmail(text)).toEqual({ text, quoted: "" });
    expect(splitEmail("> all of it").text).toBe("> all of it");
  });

  it("are read without markup", () => {
    expect(splitEmail("<p>Pay &lt;5&gt;<br>now</p><div>please &amp; thanks</div>").text).toBe(
      "Pay <5>\nnow\nplease & thanks",
    );
  });
});

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
