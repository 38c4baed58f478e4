import { layTable, writePdf } from "./write-pdf.ts";

/** A German invoice as a workshop's program writes it. Its sums hold. */
export function workshopInvoice(): Buffer {
  return writePdf([
    [
      ...layTable(
        [
          ["Werkstatt Lindqvist & Brandt GmbH"],
          ["Am Speicher 14, 23552 Lübeck"],
          [""],
          ["Rechnung an:"],
          ["Hafenbetriebe Travemünde AG"],
          ["Kaistraße 3"],
          ["23570 Lübeck"],
        ],
        { columns: [50], y: 790, size: 11, step: 16 },
      ),
      ...layTable(
        [
          ["Rechnungsnummer:", "LB-2026-0417"],
          ["Rechnungsdatum:", "12.03.2026"],
          ["Zahlbar bis:", "11.04.2026"],
          ["Ihre Bestellung:", "HT-88213"],
          ["USt-IdNr.:", "DE136695976"],
        ],
        { columns: [330, 440], y: 742, size: 10, step: 15 },
      ),
      { x: 50, y: 610, size: 16, text: "Rechnung" },
      ...layTable(
        [
          ["Pos.", "Bezeichnung", "Menge", "Einzelpreis", "Betrag"],
          ["1", "Wartung Kranantrieb", "6", "118,50", "711,00"],
          ["2", "Hydraulikschlauch DN 25", "4", "86,90", "347,60"],
          ["3", "Anfahrt und Rüstzeit", "1", "145,00", "145,00"],
          ["4", "Dichtungssatz Baureihe 7", "12", "23,75", "285,00"],
        ],
        { columns: [50, 90, 330, 400, 490], y: 575, size: 10, step: 18 },
      ),
      ...layTable(
        [
          ["Nettobetrag", "1.488,60 €"],
          ["zzgl. 19 % MwSt.", "282,83 €"],
          ["Gesamtbetrag", "1.771,43 €"],
        ],
        { columns: [330, 475], y: 455, size: 10, step: 18 },
      ),
      ...layTable(
        [
          ["Bitte überweisen Sie den Betrag auf unser Konto."],
          ["Bank: Sparbank an der Trave"],
          ["IBAN: DE89 3704 0044 0532 0130 00"],
        ],
        { columns: [50], y: 350, size: 10, step: 16 },
      ),
    ],
  ]);
}

/** An English invoice in another order of columns, with two faults: a line and the total do not add up. */
export function chandlerInvoice(): Buffer {
  return writePdf([
    [
      ...layTable([["INVOICE"], ["From: Pell & Wharton Chandlers Ltd"], ["9 Quay Row, Whitby"]], {
        columns: [50],
        y: 790,
        size: 12,
        step: 18,
      }),
      ...layTable([["Bill to: Northmere Sailing Club"], ["The Boathouse, Mere Lane"], ["Kendal LA9 4XX"]], {
        columns: [50],
        y: 700,
        size: 10,
        step: 15,
      }),
      ...layTable(
        [
          ["Invoice No: PW/26/1180"],
          ["Date: 3 February 2026"],
          ["Due date: 5 March 2026"],
          ["VAT Reg No: GB 123 4567 82"],
        ],
        { columns: [340], y: 700, size: 10, step: 15 },
      ),
      ...layTable(
        [
          ["Qty", "Description", "Unit price", "Amount"],
          ["10", "Braided line 12 mm, per metre", "3.20", "32.00"],
          ["3", "Stainless shackle M10", "14.75", "54.25"],
          ["2", "Anchor chain, galvanised, 10 m", "89.00", "178.00"],
        ],
        { columns: [50, 100, 360, 470], y: 610, size: 10, step: 18 },
      ),
      ...layTable(
        [
          ["Subtotal", "£264.25"],
          ["VAT 20 %", "£52.85"],
          ["Total due", "£371.10"],
        ],
        { columns: [360, 470], y: 500, size: 10, step: 18 },
      ),
      { x: 50, y: 400, size: 10, text: "IBAN: GB29 NWBK 6016 1331 9268 19" },
    ],
  ]);
}

/** A plain text in labelled blocks; the account's check digits do not fit. */
export const surveyInvoice = `INVOICE
Seller: Marram Survey Office
VAT ID: ATU13585627

Customer: Dune Park Trust
12 Lighthouse Way
Borkholm

Invoice number: 2026-0093
Invoice date: 2026-01-19
Due date: 2026-02-18

Item: Drone survey of dunes, northern section
Quantity: 3
Unit price: 640.00 EUR
Amount: 1,920.00 EUR

Item: Terrain model with contour lines
Quantity: 1
Unit price: 1,150.00 EUR
Amount: 1,150.00 EUR

Subtotal: 3,070.00 EUR
VAT 20 % on 3,070.00: 614.00 EUR
Total: 3,684.00 EUR

Please transfer the amount to IBAN AT61 1904 3002 3457 3202.
`;

/** A receipt, gross. */
export const cafeReceipt = `Café Kormoran
Strandweg 2, 18609 Binz

Quittung Nr. 5512
Datum: 07.06.2026 10:42

Cappuccino 2 x 3,90   7,80
Zimtschnecke 3 x 2,60   7,80
Apfelschorle 1 x 3,40   3,40

Gesamtbetrag   19,00 €
enthaltene MwSt. 19 %   3,03 €
USt-IdNr. DE129273398
Vielen Dank für Ihren Besuch!
`;

/** A UBL invoice with two rates of tax. */
export const ublInvoice = `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
  xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:ID>BX-7741</cbc:ID>
  <cbc:IssueDate>2026-05-04</cbc:IssueDate>
  <cbc:DueDate>2026-06-03</cbc:DueDate>
  <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
  <cac:OrderReference><cbc:ID>PO-3309</cbc:ID></cac:OrderReference>
  <cac:AccountingSupplierParty><cac:Party>
    <cac:PostalAddress><cbc:StreetName>Rue du Phare 8</cbc:StreetName><cbc:CityName>Oostduin</cbc:CityName><cbc:PostalZone>8670</cbc:PostalZone></cac:PostalAddress>
    <cac:PartyTaxScheme><cbc:CompanyID>BE0428759497</cbc:CompanyID></cac:PartyTaxScheme>
    <cac:PartyLegalEntity><cbc:RegistrationName>Belvaux &amp; Zonen Papier</cbc:RegistrationName></cac:PartyLegalEntity>
  </cac:Party></cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty><cac:Party>
    <cac:PostalAddress><cbc:StreetName>Kanaalkade 55</cbc:StreetName><cbc:CityName>Vlisdam</cbc:CityName><cbc:PostalZone>4381</cbc:PostalZone></cac:PostalAddress>
    <cac:PartyLegalEntity><cbc:RegistrationName>Drukkerij De Meeuw</cbc:RegistrationName></cac:PartyLegalEntity>
  </cac:Party></cac:AccountingCustomerParty>
  <cac:PaymentMeans><cac:PayeeFinancialAccount><cbc:ID>BE68539007547034</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>
  <cac:TaxTotal>
    <cbc:TaxAmount currencyID="EUR">138.60</cbc:TaxAmount>
    <cac:TaxSubtotal><cbc:TaxableAmount currencyID="EUR">600.00</cbc:TaxableAmount><cbc:TaxAmount currencyID="EUR">126.00</cbc:TaxAmount><cac:TaxCategory><cbc:Percent>21</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal>
    <cac:TaxSubtotal><cbc:TaxableAmount currencyID="EUR">210.00</cbc:TaxableAmount><cbc:TaxAmount currencyID="EUR">12.60</cbc:TaxAmount><cac:TaxCategory><cbc:Percent>6</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal>
  </cac:TaxTotal>
  <cac:LegalMonetaryTotal><cbc:LineExtensionAmount currencyID="EUR">810.00</cbc:LineExtensionAmount><cbc:TaxExclusiveAmount currencyID="EUR">810.00</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount currencyID="EUR">948.60</cbc:TaxInclusiveAmount><cbc:PayableAmount currencyID="EUR">948.60</cbc:PayableAmount></cac:LegalMonetaryTotal>
  <cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode="EA">40</cbc:InvoicedQuantity><cbc:LineExtensionAmount currencyID="EUR">600.00</cbc:LineExtensionAmount><cac:Item><cbc:Name>Offset paper, 90 g, pack of 500</cbc:Name><cac:ClassifiedTaxCategory><cbc:Percent>21</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item><cac:Price><cbc:PriceAmount currencyID="EUR">15.00</cbc:PriceAmount></cac:Price></cac:InvoiceLine>
  <cac:InvoiceLine><cbc:ID>2</cbc:ID><cbc:InvoicedQuantity unitCode="EA">12</cbc:InvoicedQuantity><cbc:LineExtensionAmount currencyID="EUR">210.00</cbc:LineExtensionAmount><cac:Item><cbc:Name>Pattern book, bound</cbc:Name><cac:ClassifiedTaxCategory><cbc:Percent>6</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item><cac:Price><cbc:PriceAmount currencyID="EUR">17.50</cbc:PriceAmount></cac:Price></cac:InvoiceLine>
</Invoice>
`;

export const letter = `Dear Ms Aldermoor,

Thank you for your letter of 2 May about the footbridge at Sallow Mill. The inspection on 14 May found three planks that have to be
replaced before the summer. The work will cost about 2,300 EUR and must be done by 20 June, when the rowing regatta begins.

Until then the bridge stays open to people on foot, and is closed to horses.

Yours sincerely,
Ivo Carrow, Ways and Bridges
`;
