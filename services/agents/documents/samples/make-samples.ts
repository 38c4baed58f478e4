import { mkdirSync, writeFileSync } from "node:fs";
import {
  cafeReceipt,
  chandlerInvoice,
  letter,
  surveyInvoice,
  ublInvoice,
  workshopInvoice,
} from "./make/invoices.ts";
import { yearOfMinutes } from "./make/minutes.ts";
import { bomb, coast, night, scan, wood } from "./make/pictures.ts";

// Writes files/ anew: node services/agents/documents/samples/make-samples.ts. Everything in them is made up here.
const folder = new URL("files/", import.meta.url);
mkdirSync(folder, { recursive: true });

const workshop = workshopInvoice();
const files: Readonly<Record<string, string | Buffer>> = {
  "rechnung-werkstatt.pdf": workshop,
  "invoice-chandlers.pdf": chandlerInvoice(),
  "invoice-survey.txt": surveyInvoice,
  "quittung-cafe.txt": cafeReceipt,
  "invoice-paper.xml": ublInvoice,
  "letter-bridge.txt": letter,
  "minutes-2026.pdf": yearOfMinutes(),
  "coast.jpg": coast(),
  "wood.jpg": wood(),
  "town-at-night.png": night(),
  "scanned-page.png": scan(),
  "truncated.pdf": workshop.subarray(0, Math.floor(workshop.length / 2)),
  "bomb.png": bomb(),
};
for (const [name, content] of Object.entries(files)) writeFileSync(new URL(name, folder), content);
