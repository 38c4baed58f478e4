import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCents, parseCents } from "../src/money.js";
import { balanceOf, selectEntries, spendingByMonth, writeStatement } from "../src/statement.js";
import { formatTable } from "../src/table.js";

const ENTRIES = [
  { day: "2024-02-03", text: "rent", kind: "debit", cents: 80_000 },
  { day: "2024-01-31", text: "salary", kind: "credit", cents: 250_000 },
  { day: "2024-02-10", text: "books", kind: "debit", cents: 4_550 },
  { day: "2024-03-01", text: "rent", kind: "debit", cents: 80_000 },
];

test("amounts are written and read", () => {
  assert.equal(formatCents(-123_456_70), "-123,456.70");
  assert.equal(parseCents("1,234.5"), 123_450);
});

test("both days of a period count", () => {
  assert.deepEqual(
    selectEntries(ENTRIES, { from: "2024-01-31", to: "2024-02-03" }).map(({ text }) => text),
    ["salary", "rent"],
  );
});

test("debits take away from the balance", () => {
  assert.equal(balanceOf(ENTRIES, 10_000), 10_000 + 250_000 - 80_000 - 4_550 - 80_000);
});

test("spending is summed up by month", () => {
  assert.deepEqual(spendingByMonth(ENTRIES), { "2024-02": 84_550, "2024-03": 80_000 });
});

test("columns are apart by a gap", () => {
  assert.equal(formatTable(["a", "b"], [["x", 10], ["yy", 5]]), "a    b\nx   10\nyy   5");
});

test("a statement says what there was before and after", () => {
  const account = { name: "Ada", opening: 0, entries: ENTRIES };
  const text = writeStatement(account, { from: "2024-02-01", to: "2024-02-29" });
  assert.match(text, /opening 2,500\.00/);
  assert.match(text, /closing 1,654\.50/);
});
