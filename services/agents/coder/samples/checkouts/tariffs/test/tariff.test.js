import assert from "node:assert/strict";
import { test } from "node:test";
import { bill, cheapest, costOf } from "../src/tariff.js";

const STEPS = [
  { upTo: 100, centsPerUnit: 30 },
  { upTo: 250, centsPerUnit: 25 },
  { centsPerUnit: 20 },
];

test("one step costs the same for every unit", () => {
  assert.equal(costOf(80, [{ centsPerUnit: 30 }]), 2400);
});

test("units above a step cost what the next one says", () => {
  assert.equal(costOf(100, STEPS), 3000);
  assert.equal(costOf(130, STEPS), 3000 + 30 * 25);
  assert.equal(costOf(400, STEPS), 3000 + 150 * 25 + 150 * 20);
});

test("a bill holds days and tax", () => {
  assert.deepEqual(bill({ units: 130, days: 30, taxPercent: 19 }, { steps: STEPS, centsPerDay: 10 }), {
    net: 4050,
    tax: 770,
    gross: 4820,
  });
});

test("the cheapest tariff is found", () => {
  const months = [{ units: 300, days: 30, taxPercent: 0 }];
  const flat = { name: "flat", steps: [{ centsPerUnit: 27 }], centsPerDay: 0 };
  const stepped = { name: "stepped", steps: STEPS, centsPerDay: 0 };
  assert.equal(cheapest(months, [flat, stepped]).name, "stepped");
});
