import { describe, expect, test } from "vitest";
import { findNoDemand } from "./asks-money-back.ts";

describe("an e-mail about money back", () => {
  test.each([
    "The parcel cost 31.90 EUR and I am delighted. You need not send a refund.",
    "I don't want my money back, the mug is lovely.",
    "Kein Geld zurück nötig, alles gut.",
    "Pas besoin de remboursement, tout va bien.",
    "Thanks for the refund of AB-20077.",
    "What is your refund policy?",
    "If the handle breaks, could I get a refund?",
    "My neighbour got a refund of 12.00 EUR last week.",
    "The invoice says 31.90 EUR and 31.90 EUR is what I paid.",
    "返金は不要です。",
    "If you cannot send a new one, please refund the 42.50 EUR.",
    "If you can't repair it, please refund me.",
    "Please send a new lid, otherwise refund me 42.50 EUR.",
    "Schicken Sie eine neue, sonst möchte ich mein Geld zurück.",
    "Envoyez-m'en un autre, sinon je demande le remboursement.",
    "You already refunded order AB-10023, 42.50 EUR. Please send me a receipt for that refund.",
    "Please send me the confirmation of my refund.",
    "Sie haben das Geld bereits erstattet. Bitte senden Sie mir eine Bestätigung der Erstattung.",
    "Ya me reembolsaron el dinero. Por favor, envíen el comprobante del reembolso.",
    'My boss wrote: "Please refund order AB-10023, 42.50 EUR." What are your hours?',
    "Mein Chef schrieb: „Ich möchte mein Geld zurück.“ Wann haben Sie geöffnet?",
  ])("is no demand: %s", (text) => {
    expect(findNoDemand(text)).not.toBeNull();
  });

  test.each([
    "It came in shards. Please refund 31.90 EUR.",
    "Ich möchte mein Geld zurück.",
    "Merci de me rembourser 18,00 €.",
    "Quiero que me devuelvan el dinero.",
    "Vorrei il rimborso dell'ordine 55104.",
    "Proszę o zwrot pieniędzy.",
    "Quero o reembolso.",
    "Ik wil mijn geld terug.",
    "返金をお願いします。",
    "If you can, please refund 31.90 EUR.",
    "If possible, refund me 31.90 EUR to my card.",
  ])("is a demand: %s", (text) => {
    expect(findNoDemand(text)).toBeNull();
  });

  test("may depend on a loss that the shop confirms, and not on a question", () => {
    const text = "Should it have gone astray, I want my money back.";
    expect(findNoDemand(text)).not.toBeNull();
    expect(findNoDemand(text, true)).toBeNull();
    expect(findNoDemand("If it is lost, could I get a refund?", true)).not.toBeNull();
  });
});
