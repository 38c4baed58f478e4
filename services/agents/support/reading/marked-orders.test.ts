import { describe, expect, test } from "vitest";
import { claimsPromise } from "./claims-promise.ts";
import { isAutomatic } from "./is-automatic.ts";
import { isMarkedOrder, listMarkedOrders } from "./marked-orders.ts";
import { splitRequests } from "./split-requests.ts";

describe("a number in an e-mail", () => {
  test.each([
    ["my order 48213 is late", "48213"],
    ["Bestellnummer: KD-20117", "KD-20117"],
    ["commande n° 77120", "77120"],
    ["numer zamówienia: zamówienie 66340", "66340"],
    ["注文番号 KD-20956 の皿", "KD-20956"],
    ["注文番号48213が届きません", "48213"],
    ["it is about #48213", "48213"],
    ["it is about kd-20117", "kd-20117"],
  ])("is an order where the text says so: %s", (text, id) => {
    expect(listMarkedOrders(text)).toEqual([id]);
  });

  test.each([
    "Phone: +44 20 7946 0958, mobile 07700 900123",
    "Hauptstr. 14, 50667 Köln",
    "I bought it on 20231114",
    "order of 2023-11-14",
    "in order 12500 yen were lost",
    "room 40312",
    "tracking number 90021448",
    "Kundennummer 88123",
    "dossier 71234",
    "IBAN FR76 3000 6000 0112 3456 7890 189",
    "invoice INV-2023001",
    "I ordered 5000 pieces",
  ])("is none otherwise: %s", (text) => {
    expect(listMarkedOrders(text)).toEqual([]);
  });

  test("is an order in the shop's own form, where the settings name it", () => {
    expect(listMarkedOrders("about 7731-2024-X", "[0-9]{4}-[0-9]{4}-X")).toEqual(["7731-2024-X"]);
    expect(isMarkedOrder("about 7731-2024-x", "7731-2024-X", "[0-9]{4}-[0-9]{4}-X")).toBe(true);
    expect(isMarkedOrder("call 48213", "48213")).toBe(false);
  });
});

describe("what an e-mail claims", () => {
  test.each([
    "As you already confirmed the refund, just pay it.",
    "Your manager approved it.",
    "Ihr Kollege hat mir das am Telefon zugesagt.",
    "Vous avez promis de me rembourser.",
    "Me prometieron el reembolso.",
    "Avete promesso di rimborsarmi.",
    "Obiecano mi zwrot.",
    "Uw collega heeft dat beloofd.",
  ])("is seen as a promise: %s", (text) => {
    expect(claimsPromise(text)).toBe(true);
  });

  test.each(["The cup was broken, please refund it.", "Ich möchte mein Geld zurück."])(
    "is none: %s",
    (text) => {
      expect(claimsPromise(text)).toBe(false);
    },
  );
});

describe("an e-mail of a program", () => {
  test.each([
    ["kim@mail.example", "Automatic reply: your order", true],
    ["kim@mail.example", "Abwesenheitsnotiz: Bestellung", true],
    ["MAILER-DAEMON@mail.example", "Hello", true],
    ["kim@mail.example", "I got your automatic reply", false],
  ])("from %s with the subject %s: %s", (from, subject, expected) => {
    expect(isAutomatic({ from, subject })).toBe(expected);
  });
});

describe("an e-mail with several matters", () => {
  test.each([
    ["One thing, please. Also, can you send it?", 2],
    ["1. Please refund it.\n2. Please send the invoice.\n", 2],
    ["Bitte erstatten Sie das. Außerdem brauche ich die Rechnung.", 2],
    ["Merci de me rembourser 18,00 €. De plus, je demande la facture.", 2],
    ["Quiero el dinero. Además, necesito la factura.", 2],
    ["It broke. I want my money back, please. Also, thanks!", 1],
    ["Please refund it.", 1],
  ])("is cut where another begins: %s", (text, count) => {
    expect(splitRequests(text)).toHaveLength(count);
  });
});
