import type { HandCases } from "../case.ts";

const one = (format: string) => ({
  type: "object",
  properties: { v: { type: "string", format } },
  required: ["v"],
  additionalProperties: false,
});

export const DATES: HandCases = {
  class: "dates",
  schema: one("date"),
  cases: [
    { it: "slashes year first", input: '{"v": "2025/03/04"}', value: { v: "2025-03-04" } },
    { it: "month name first", input: '{"v": "March 4, 2025"}', value: { v: "2025-03-04" } },
    { it: "day first with ordinal", input: '{"v": "4th of March 2025"}', value: { v: "2025-03-04" } },
    { it: "short month", input: '{"v": "04-Mar-2025"}', value: { v: "2025-03-04" } },
    { it: "weekday before", input: '{"v": "Tuesday, 4 March 2025"}', value: { v: "2025-03-04" } },
    { it: "wrong weekday", input: '{"v": "Monday, 4 March 2025"}', refusal: "day and weekday disagree" },
    { it: "day above twelve", input: '{"v": "25/03/2025"}', value: { v: "2025-03-25" } },
    { it: "month or day", input: '{"v": "03/04/2025"}', refusal: "two readings" },
    { it: "same day either way", input: '{"v": "03/03/2025"}', value: { v: "2025-03-03" } },
    { it: "points, day or month first", input: '{"v": "04.03.2025"}', refusal: "two readings" },
    { it: "two-digit year", input: '{"v": "4 March 25"}', refusal: "which century" },
    { it: "no such day", input: '{"v": "30 February 2025"}', refusal: "no such day" },
    { it: "relative", input: '{"v": "tomorrow"}', refusal: "no clock here" },
    { it: "no year", input: '{"v": "4 March"}', refusal: "no year" },
    { it: "a month only", input: '{"v": "March 2025"}', refusal: "no day" },
    { it: "compact", input: '{"v": "20250304"}', value: { v: "2025-03-04" } },
    { it: "German month", input: '{"v": "4. März 2025"}', value: { v: "2025-03-04" } },
    { it: "French month", input: '{"v": "4 août 2025"}', value: { v: "2025-08-04" } },
    { it: "midnight of that day", input: '{"v": "2025-03-04T00:00:00Z"}', value: { v: "2025-03-04" } },
    { it: "a time of that day", input: '{"v": "2025-03-04T17:30:00Z"}', refusal: "the time would be lost" },
    { it: "one digit", input: '{"v": "2025-3-4"}', value: { v: "2025-03-04" } },
    { it: "not a date", input: '{"v": "soon"}', refusal: "no date" },
  ],
};

export const MOMENTS: HandCases = {
  class: "moments",
  schema: one("date-time"),
  cases: [
    { it: "blank for T", input: '{"v": "2025-03-04 17:30:00Z"}', value: { v: "2025-03-04T17:30:00Z" } },
    { it: "no seconds", input: '{"v": "2025-03-04T17:30+01:00"}', value: { v: "2025-03-04T17:30:00+01:00" } },
    { it: "no zone", input: '{"v": "2025-03-04T17:30:00"}', refusal: "which zone" },
    { it: "UTC in words", input: '{"v": "2025-03-04 17:30 UTC"}', value: { v: "2025-03-04T17:30:00Z" } },
    {
      it: "zone without colon",
      input: '{"v": "2025-03-04T17:30:00+0100"}',
      value: { v: "2025-03-04T17:30:00+01:00" },
    },
    {
      it: "twelve-hour clock",
      input: '{"v": "2025-03-04 5:30 PM UTC"}',
      value: { v: "2025-03-04T17:30:00Z" },
    },
    {
      it: "mail header",
      input: '{"v": "Tue, 04 Mar 2025 17:30:00 +0000"}',
      value: { v: "2025-03-04T17:30:00+00:00" },
    },
    { it: "date only", input: '{"v": "2025-03-04"}', refusal: "no time" },
    { it: "lower case", input: '{"v": "2025-03-04t17:30:00z"}', value: { v: "2025-03-04t17:30:00z" } },
    { it: "a zone by letters", input: '{"v": "2025-03-04 17:30 CST"}', refusal: "three zones are called so" },
  ],
};
