import { expect, it } from "vitest";
import { findEntities } from "./find-entities.ts";
import { groundSummary } from "./grounded.ts";

it.each([
  ["since ten minutes, for 2 hrs", ["ten minutes", "2 hrs"]],
  ["seit zehn Minuten, eine Viertelstunde lang, 3 Tage", ["zehn Minuten", "Viertelstunde", "3 Tage"]],
  ["media hora o 20 minutos, hace 2 años", ["media hora", "20 minutos", "2 años"]],
  ["une heure, 40 minutes, quinze ans", ["une heure", "40 minutes", "quinze ans"]],
  ["mezz'ora, 6 minuti, due settimane", ["mezz'ora", "6 minuti", "due settimane"]],
  ["drie weken, 20 minuten", ["drie weken", "20 minuten"]],
])("finds the durations of: %s", (text, durations) => {
  expect(findEntities(text).map((entity) => entity.text)).toEqual(durations);
});

it("takes a duration in a summary of another language for the same, and no other one", () => {
  const source = "Es dauert 10 Minuten, seit 3 Wochen.";
  const summary = "It lasts 10 minutes. It began 3 weeks ago.";
  expect(groundSummary(summary, source)).toEqual({ text: summary, dropped: 0 });
  expect(groundSummary("It lasts 10 hours. It began 4 weeks ago.", source)).toEqual({ text: "", dropped: 2 });
});
