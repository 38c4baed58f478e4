import type { HandCases } from "../case.ts";

const PERSON = {
  type: "object",
  properties: {
    first_name: { type: "string" },
    last_name: { type: "string" },
    email: { type: "string", "x-aliases": ["mail", "e_mail_address"] },
    phone: { type: "string" },
    age: { type: "integer" },
    shipping_address: { type: "string" },
  },
  required: ["first_name", "email"],
  additionalProperties: false,
};

export const NAMES: HandCases = {
  class: "names",
  schema: PERSON,
  cases: [
    {
      it: "camel case",
      input: '{"firstName": "Ann", "email": "a@x.example"}',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "pascal case",
      input: '{"FirstName": "Ann", "Email": "a@x.example"}',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "kebab and upper case",
      input: '{"first-name": "Ann", "EMAIL": "a@x.example"}',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "blanks",
      input: '{"First name": "Ann", " email ": "a@x.example"}',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "declared alias",
      input: '{"first_name": "Ann", "mail": "a@x.example"}',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "typing slip",
      input: '{"frist_name": "Ann", "email": "a@x.example"}',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "a letter lost",
      input: '{"first_name": "Ann", "emal": "a@x.example"}',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "another word",
      input: '{"given_name": "Ann", "email": "a@x.example"}',
      refusal: "no declared alias",
    },
    {
      it: "first name only as name",
      input: '{"name": "Ann", "email": "a@x.example"}',
      refusal: "first or last",
    },
    {
      it: "both spellings agree",
      input: '{"first_name": "Ann", "firstName": "Ann", "email": "a@x.example"}',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "both spellings differ",
      input: '{"firstName": "Ann", "FirstName": "Bob", "email": "a@x.example"}',
      refusal: "either may be meant",
    },
    {
      it: "extra members of a closed contract",
      input: '{"first_name": "Ann", "email": "a@x.example", "confidence": 0.9}',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "prototype as a name",
      input: '{"first_name": "Ann", "email": "a@x.example", "__proto__": {"admin": true}}',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "constructor as a name",
      input: '{"first_name": "Ann", "email": "a@x.example", "constructor": 1,}',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    { it: "missing required", input: '{"first_name": "Ann"}', refusal: "the email is not there" },
    {
      it: "required is null",
      input: '{"first_name": null, "email": "a@x.example"}',
      refusal: "the name is not there",
    },
    {
      it: "optional is null",
      input: '{"first_name": "Ann", "email": "a@x.example", "phone": null}',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "optional is an empty list",
      input: '{"first_name": "Ann", "email": "a@x.example", "phone": []}',
      refusal: "a list is not a text",
    },
    {
      it: "accent in a name",
      input: '{"fïrst_name": "Ann", "email": "a@x.example"}',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "quotes in a name",
      input: `{"'first_name'": "Ann", "\`email\`": "a@x.example"}`,
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "names with a path",
      input: '{"person.first_name": "Ann", "person.email": "a@x.example"}',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "list of name and value",
      input: '[{"name": "first_name", "value": "Ann"}, {"name": "email", "value": "a@x.example"}]',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "list of pairs",
      input: '[["first_name", "Ann"], ["email", "a@x.example"]]',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "list of one-member objects",
      input: '[{"first_name": "Ann"}, {"email": "a@x.example"}]',
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "lines of names and values",
      input: "first_name: Ann\nemail: a@x.example\nage: 30",
      value: { first_name: "Ann", email: "a@x.example", age: 30 },
    },
    {
      it: "bullets of names and values",
      input: "- **First name:** Ann\n- **Email:** a@x.example",
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "a table with one row",
      input: "| first_name | email |\n|---|---|\n| Ann | a@x.example |",
      value: { first_name: "Ann", email: "a@x.example" },
    },
    {
      it: "a table of fields",
      input: "| Field | Value |\n|---|---|\n| first_name | Ann |\n| email | a@x.example |",
      value: { first_name: "Ann", email: "a@x.example" },
    },
  ],
};

export const LOCKED: HandCases = {
  class: "locked",
  schema: {
    type: "object",
    properties: {
      iban: { type: "string", pattern: "^[A-Z]{2}[0-9]{13,32}$", "x-locked": true },
      amount: { type: "number", "x-locked": true },
      reason: { enum: ["damaged", "late"] },
    },
    required: ["iban", "amount", "reason"],
    additionalProperties: false,
  },
  cases: [
    {
      it: "syntax around them",
      input: "{'iban': 'DE89370400440532013000', 'amount': 12.5, 'reason': 'late',}",
      value: { iban: "DE89370400440532013000", amount: 12.5, reason: "late" },
    },
    {
      it: "another field mended",
      input: '{"iban": "DE89370400440532013000", "amount": 12.5, "reason": "LATE"}',
      value: { iban: "DE89370400440532013000", amount: 12.5, reason: "late" },
    },
    {
      it: "amount as text",
      input: '{"iban": "DE89370400440532013000", "amount": "12.5", "reason": "late"}',
      refusal: "a locked value is not changed",
    },
    {
      it: "blanks in the account",
      input: '{"iban": "DE89 3704 0044 0532 0130 00", "amount": 12.5, "reason": "late"}',
      refusal: "a locked value is not changed",
    },
    {
      it: "name in camel case",
      input: '{"IBAN": "DE89370400440532013000", "Amount": 12.5, "reason": "late"}',
      value: { iban: "DE89370400440532013000", amount: 12.5, reason: "late" },
    },
  ],
};
