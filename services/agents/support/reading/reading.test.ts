import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { now } from "#shared/clock";
import { dropOrdersToMachines } from "./drop-orders-to-machines.ts";
import { findMoney, listMoney } from "./find-money.ts";
import { detectLanguage } from "./detect-language.ts";
import { findOrderId } from "../rehearsal/find-order-id.ts";
import { splitEmail } from "./split-email.ts";

describe("reading an e-mail", () => {
  test.each([
    ["42,50 €", 42.5, "EUR"],
    ["€ 1.234,56", 1234.56, "EUR"],
    ["$1,234.50", 1234.5, "USD"],
    ["1 299,00 zł", 1299, "PLN"],
    ["R$ 80", 80, "BRL"],
    ["89 quid", 89, "GBP"],
  ])("reads %s", (text, value, currency) => {
    expect(findMoney(`Please pay ${text} back.`)).toEqual({ value, currency });
  });

  test("names no sum where two are asked for, and the one beside the refund where one is", () => {
    expect(findMoney("Refund 10 EUR or refund 20 EUR.")).toBeUndefined();
    expect(findMoney("It cost 100 EUR.\nPlease refund 20 EUR.")).toEqual({ value: 20, currency: "EUR" });
    expect(listMoney("in 2026 I bought 3 chairs")).toEqual([]);
  });

  test.each([
    ["order #48213 is late", "48213"],
    ["Bestellung Nr. 48213", "48213"],
    ["commande n° 77120", "77120"],
    ["zamówienie nr 66340", "66340"],
    ["it is SU-88112 I mean", "SU-88112"],
    ["call me on 0151 2345678", undefined],
    ["order 1111 and order 2222", undefined],
    ["IBAN DE02120300000000202051", undefined],
  ])("finds the order in %j as %s", (text, order) => {
    expect(findOrderId(text)).toBe(order);
  });

  test("parts the own words from history, signature and markup", () => {
    expect(splitEmail("<p>Hi&nbsp;there</p>\n> old\nOn Monday, X <a@b.c> wrote:\nolder")).toEqual({
      own: "Hi there",
      quoted: "> old\nOn Monday, X <a@b.c> wrote:\nolder",
    });
    expect(splitEmail("Hello\n-- \nBob").own).toBe("Hello");
    expect(splitEmail("> only this").own).toBe("> only this");
  });

  test.each([0, 25_000, 59_000])(
    "keeps an order that stands after %i characters, and what is quoted",
    (at) => {
      const filler = "It took them weeks to answer me.\n".repeat(2000);
      const own = `${filler.slice(0, at)}\nMy order is #48213.\nIt never came.`;
      expect(splitEmail(own).own).toBe(own.trim());
      expect(findOrderId(splitEmail(own).own)).toBe("48213");
      const quoted = `> ${filler.slice(0, at).replaceAll("\n", " ")} order #48213`;
      expect(splitEmail(`Hello\n${quoted}`)).toEqual({ own: "Hello", quoted });
    },
  );

  test("keeps what a customer says of rules they were told", () => {
    const honest = "Your colleague gave me the rules for returns. I followed the instructions.";
    expect(dropOrdersToMachines(honest)).toEqual({ text: honest, hadOrders: false });
  });

  test("reads any text to an end, and quickly", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2000 }), (text) => {
        const { own } = splitEmail(text);
        dropOrdersToMachines(own);
        findOrderId(own);
        findMoney(own);
      }),
    );
    for (const hostile of [
      "order ".repeat(10_000),
      "1.".repeat(30_000),
      "<b ".repeat(20_000),
      "ignore ".repeat(8000),
    ]) {
      const startedMs = now();
      const { own } = splitEmail(hostile);
      dropOrdersToMachines(own);
      findOrderId(own);
      findMoney(own);
      expect(now() - startedMs).toBeLessThan(10_000);
    }
  });

  test.each([
    ["Jag väntar på mitt paket och vet inte var det är.", "other"],
    ["Jeg har ikke fået min pakke endnu. Hvornår kommer den?", "other"],
    ["Jeg vil gjerne vite hvorfor pakken ikke har kommet.", "other"],
    ["Prosím, kdy přijde můj balíček? Děkuji.", "other"],
    ["Waar blijft mijn pakket? Ik wacht al twee weken.", "nl"],
    ["Onde está a minha encomenda? Não recebi nada.", "pt"],
  ])("takes no language that is none of the team's for the nearest one: %s", (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });
});
