import {
  boolean,
  choice,
  date,
  dateTime,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  text,
} from "../contract.ts";
import type { CorpusContract } from "../contract.ts";
import * as natural from "../natural.ts";
import { CITIES, COMPANIES, PRODUCTS, STREETS, TOPICS } from "../words.ts";

const CURRENCIES = ["EUR", "USD", "GBP", "NOK"] as const;

const invoice: CorpusContract = {
  name: "invoice",
  part: object(
    {
      invoice_number: text(
        "Number of the invoice as printed, with leading zeros",
        {},
        { aliases: ["invoice no"] },
      ),
      issued_on: date("Date of issue (ISO 8601). Source documents write DD.MM.YYYY.", {
        writtenDates: "DD.MM.YYYY",
      }),
      seller: object({ name: text("Legal name"), vat_id: text("VAT identification number") }),
      currency: choice(CURRENCIES, "Currency of all amounts, ISO 4217"),
      lines: list(
        object({
          description: text("What was sold"),
          quantity: integer("Number of pieces", { minimum: 1, maximum: 500 }, { units: ["pieces"] }),
          unit_price: number("Net price of one, in the invoice's currency", { minimum: 0 }),
        }),
        "Positions in order",
        { minItems: 1 },
      ),
      total: number(
        "Gross total, in the invoice's currency",
        { minimum: 0 },
        { currency: { beside: "currency" } },
      ),
      notes: text("Remarks at the foot of the page"),
    },
    { optional: ["notes"] },
  ),
  make: (draw) => ({
    invoice_number: natural.numericId(draw),
    issued_on: natural.isoDate(draw),
    seller: { name: draw.pick(COMPANIES), vat_id: `DE${natural.numericId(draw, 9)}` },
    currency: draw.pick(CURRENCIES),
    lines: natural.times(draw, 1, 3, () => ({
      description: draw.pick(PRODUCTS),
      quantity: natural.between(draw, 1, 40),
      unit_price: natural.price(draw),
    })),
    total: natural.price(draw),
    ...natural.maybe(draw, "notes", () => natural.prose(draw)),
  }),
};

const transaction: CorpusContract = {
  name: "bank-transaction",
  part: object({
    transaction_id: text("Identifier given by the bank"),
    booked_on: date("Booking date (ISO 8601). Statements print MM/DD/YYYY.", { writtenDates: "MM/DD/YYYY" }),
    amount: number(
      "Amount in euros; negative for debits",
      {},
      { currency: { code: "EUR" }, units: ["euros"] },
    ),
    counterparty: text("Name of the other party"),
    iban: text("IBAN of the other party, without blanks", { pattern: "^[A-Z]{2}[0-9]{12,20}$" }),
    category: choice(
      ["groceries", "rent", "salary", "transport", "other"],
      "Kind of transaction. Wages and payroll count as salary; lease payments count as rent.",
      { synonyms: { salary: ["wages", "payroll"], rent: ["lease payments"] } },
    ),
    is_recurring: boolean("Whether it repeats every month"),
    balance_after: nullable(number("Balance in euros, if printed", {}, { currency: { code: "EUR" } })),
  }),
  make: (draw) => ({
    transaction_id: natural.numericId(draw, 12),
    booked_on: natural.isoDate(draw),
    amount: natural.chance(draw, 0.5) ? -natural.price(draw) : natural.price(draw),
    counterparty: draw.pick(COMPANIES),
    iban: `NO${natural.numericId(draw, 14)}`,
    category: draw.pick(["groceries", "rent", "salary", "transport", "other"]),
    is_recurring: natural.chance(draw, 0.5),
    balance_after: natural.chance(draw, 0.7) ? natural.price(draw) : null,
  }),
};

const product: CorpusContract = {
  name: "product",
  part: object(
    {
      sku: text("Stock keeping unit"),
      title: text("Name shown to customers", {}, { aliases: ["product name"] }),
      price_usd: number("List price in US dollars", { minimum: 0 }, { currency: { code: "USD" } }),
      discount_percent: number(
        "Discount in percent, 0 to 100",
        { minimum: 0, maximum: 100 },
        { percent: "points" },
      ),
      in_stock: boolean("Whether it can be shipped today"),
      condition: choice(["new", "used_good", "refurbished"], "Pre-owned items are used_good.", {
        synonyms: { used_good: ["pre-owned"] },
      }),
      tags: list(text(), "Words for search"),
      dimensions: object({
        width_mm: number(
          "Width in millimetres",
          { minimum: 0 },
          { units: ["mm", "millimetres"], otherUnits: ["kg"] },
        ),
        height_mm: number("Height in millimetres", { minimum: 0 }, { units: ["mm"], otherUnits: ["kg"] }),
      }),
      image_url: nullable(text("Address of the picture", { format: "uri" })),
    },
    { isOpen: true, optional: ["discount_percent"] },
  ),
  make: (draw) => ({
    sku: natural.code(draw, natural.letters(draw, 3)),
    title: draw.pick(PRODUCTS),
    price_usd: natural.price(draw),
    ...natural.maybe(draw, "discount_percent", () => draw.pick([5, 12.5, 20, 33, 50])),
    in_stock: natural.chance(draw, 0.5),
    condition: draw.pick(["new", "used_good", "refurbished"]),
    tags: natural.some(draw, TOPICS, 1, 4),
    dimensions: { width_mm: natural.decimal(draw, 10, 900, 1), height_mm: natural.between(draw, 10, 900) },
    image_url: natural.chance(draw, 0.7) ? natural.url(draw) : null,
  }),
};

const shipment: CorpusContract = {
  name: "shipment",
  part: object(
    {
      tracking_number: text("Digits only, with leading zeros", { pattern: "^[0-9]{10,14}$" }),
      carrier: choice(["DHL", "UPS", "FedEx", "PostNord"], "Who carries it"),
      status: choice(
        ["label_created", "in_transit", "out_for_delivery", "delivered", "returned"],
        "Where it is. 'On its way' and 'moving' both mean in_transit.",
        { synonyms: { in_transit: ["On its way", "moving"] } },
      ),
      weight_kg: number(
        "Weight in kilograms",
        { minimum: 0 },
        { units: ["kg", "kilograms"], otherUnits: ["°C", "km"] },
      ),
      delivered_at: nullable(dateTime("When it was handed over; null until then")),
      recipient: object({
        full_name: text("Name of the recipient"),
        street: text("Street and number"),
        postal_code: text("Postal code, also called ZIP code", {}, { aliases: ["zip code"] }),
        town: text("Town or city"),
      }),
      events: list(object({ at: dateTime(), place: text(), event: text() }), "Scans, oldest first"),
    },
    { optional: ["events"] },
  ),
  make: (draw) => {
    const status = draw.pick(["label_created", "in_transit", "out_for_delivery", "delivered", "returned"]);
    return {
      tracking_number: natural.numericId(draw, 12),
      carrier: draw.pick(["DHL", "UPS", "FedEx", "PostNord"]),
      status,
      weight_kg: natural.decimal(draw, 0.1, 30, 2),
      delivered_at: status === "delivered" ? natural.isoDateTime(draw) : null,
      recipient: {
        full_name: natural.person(draw),
        street: draw.pick(STREETS),
        postal_code: natural.numericId(draw, 5),
        town: draw.pick(CITIES),
      },
      ...natural.maybe(draw, "events", () =>
        natural.times(draw, 1, 3, () => ({
          at: natural.isoDateTime(draw),
          place: draw.pick(CITIES),
          event: draw.pick(["Accepted", "Sorted: hub 3", "Loaded onto vehicle", "Customs (cleared)"]),
        })),
      ),
    };
  },
};

const stock: CorpusContract = {
  name: "stock-levels",
  part: object({
    warehouse: text("Code of the warehouse", { pattern: "^[A-Z]{2}[0-9]{2}$" }),
    counted_on: date("Day of the count"),
    levels: map(integer("", { minimum: 0 }), "Pieces in stock by article number"),
  }),
  make: (draw) => ({
    warehouse: `${natural.letters(draw, 2)}${natural.numericId(draw, 2).slice(-2).padStart(2, "0")}`,
    counted_on: natural.isoDate(draw),
    levels: Object.fromEntries(
      natural.times(draw, 2, 4, () => [
        natural.code(draw, natural.letters(draw, 2), 3),
        natural.between(draw, 0, 4000),
      ]),
    ),
  }),
};

export const COMMERCE = [invoice, transaction, product, shipment, stock];
