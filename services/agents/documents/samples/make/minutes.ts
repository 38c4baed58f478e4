import type { Placed } from "./write-pdf.ts";
import { writePdf } from "./write-pdf.ts";
import { seeded } from "./seeded.ts";

const PAGES = 54;
const ROWS = 46;

const BODIES = [
  "harbour committee",
  "works council",
  "finance panel",
  "fleet board",
  "heritage group",
  "port users' forum",
];
const SUBJECTS = [
  "the dredging of the northern basin",
  "the lighting of the east mole",
  "the tariff for visiting yachts",
  "the roof of the fish hall",
  "the training of crane drivers",
  "the rail link to the container yard",
  "the noise of the night shift",
  "the seal sanctuary on the outer bank",
  "the ferry timetable for the winter",
  "the fire hydrants along the quay",
];
const PEOPLE = [
  "Ms Haverkamp",
  "Mr Oyelaran",
  "Ms Tindall",
  "Mr Sørby",
  "Dr Quayle",
  "Ms Ferreiro",
  "Mr Badoc",
];
const REMARKS = [
  "Several members asked for figures that are easier to compare with those of earlier years.",
  "The chair thanked the staff for work that had been done at short notice and in bad weather.",
  "It was noted that neighbouring ports had met the same difficulty and had dealt with it in different ways.",
  "Members looked at the drawings and discussed which of the variants would disturb daily work the least.",
  "A letter from the residents' association was read out and will be answered by the office.",
  "There was a long exchange on whether the matter belonged to this body at all.",
];

/** What a reader is asked for, on the pages where it stands. */
const PLANTED: Readonly<Record<number, string>> = {
  11: "Resolved: the contract for the new tug was awarded to Ostervig Yard for 4,125,000 EUR, to be delivered by 30 September 2027.",
  29: "Warning: the survey of pier 6 found that two of its piles must be replaced before any crane above 40 tonnes may use it.",
  47: "Decided: berth fees increase by 3.5 % from 1 January 2027, and the fund for the sea wall receives 610,000 EUR of them.",
};

/** Minutes of a year, more pages than anybody reads: a PDF of 54. */
export function yearOfMinutes(): Buffer {
  const random = seeded(54);
  const pick: Pick = (values) => values[Math.floor(random() * values.length)] ?? "";
  const pages = Array.from({ length: PAGES }, (_, index) => {
    const number = index + 1;
    const planted = PLANTED[number];
    const sentences = Array.from({ length: 24 }, () => sentenceOf(random, pick));
    if (planted !== undefined) sentences.splice(9, 0, planted);
    const heading =
      number === 1 ? "Minutes of the Port Authority of Skarnholm, 2026" : `Minutes, page ${number}`;
    return layPage(heading, sentences.join(" "));
  });
  return writePdf(pages);
}

type Pick = (values: readonly string[]) => string;

function sentenceOf(random: () => number, pick: Pick): string {
  const kind = random();
  if (kind < 0.25) return pick(REMARKS);
  const who = pick(PEOPLE);
  if (kind < 0.5) return `${who} reported to the ${pick(BODIES)} on ${pick(SUBJECTS)}.`;
  if (kind < 0.75)
    return `${who} was asked to bring a paper on ${pick(SUBJECTS)} to the next meeting, together with the ${pick(BODIES)}.`;
  return `The ${pick(BODIES)} heard ${Math.floor(2 + random() * 9)} speakers on ${pick(SUBJECTS)} and came back to it later.`;
}

function layPage(heading: string, text: string): Placed[] {
  const rows: string[] = [];
  let row = "";
  for (const word of text.split(" ")) {
    if (row.length + word.length > 92) {
      rows.push(row);
      row = "";
    }
    row += row === "" ? word : ` ${word}`;
  }
  rows.push(row);
  return [
    { x: 50, y: 800, size: 14, text: heading },
    ...rows.slice(0, ROWS).map((line, index) => ({ x: 50, y: 770 - index * 15, size: 10, text: line })),
  ];
}
