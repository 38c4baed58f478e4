import {
  boolean,
  choice,
  constant,
  date,
  dateTime,
  integer,
  list,
  nullable,
  number,
  object,
  text,
} from "../contract.ts";
import type { CorpusContract } from "../contract.ts";
import * as natural from "../natural.ts";
import { CITIES, STREETS } from "../words.ts";

const observation: CorpusContract = {
  name: "observation",
  part: object(
    {
      resourceType: constant("Observation"),
      status: choice(["registered", "preliminary", "final", "amended"], "State of the result"),
      code: object({ system: text("", { format: "uri" }), value: text("LOINC code"), display: text() }),
      subject: object({ reference: text("Patient/…") }),
      effectiveDateTime: dateTime("When it was measured"),
      valueQuantity: object({ value: number("Measured value"), unit: text("UCUM unit") }),
      note: text("Free text of the clinician"),
    },
    { isOpen: true, optional: ["note"] },
  ),
  make: (draw) => {
    const [value, display, unit] = draw.pick([
      ["8867-4", "Heart rate", "/min"],
      ["8310-5", "Body temperature", "Cel"],
      ["2339-0", "Glucose [Mass/volume] in Blood", "mg/dL"],
    ] as const);
    return {
      resourceType: "Observation",
      status: draw.pick(["registered", "preliminary", "final", "amended"]),
      code: { system: "http://loinc.org", value, display },
      subject: { reference: `Patient/${natural.numericId(draw)}` },
      effectiveDateTime: natural.isoDateTime(draw),
      valueQuantity: { value: natural.decimal(draw, 1, 200, 1), unit },
      ...natural.maybe(draw, "note", () => natural.prose(draw)),
    };
  },
};

const patient: CorpusContract = {
  name: "patient",
  part: object(
    {
      id: text("Medical record number, digits with leading zeros"),
      name: object({
        family: text("Last name"),
        given: list(text(), "First and middle names", { minItems: 1 }),
      }),
      gender: choice(["male", "female", "other", "unknown"], "Administrative gender"),
      birthDate: date("Date of birth. Forms write DD/MM/YYYY.", {
        writtenDates: "DD/MM/YYYY",
        aliases: ["date of birth"],
      }),
      active: boolean("Whether the record is in use"),
      address: object({ line: text(), city: text(), postalCode: text() }),
      maritalStatus: nullable(choice(["single", "married", "widowed", "divorced"])),
    },
    { optional: ["address"] },
  ),
  make: (draw) => ({
    id: natural.numericId(draw, 7),
    name: {
      family: draw.pick(["O'Brien", "Groß", "de la Cruz", "王", "Nguyễn"]),
      given: natural.some(draw, ["Ann", "Jean-Luc", "María", "小明", "Olé"], 1, 2),
    },
    gender: draw.pick(["male", "female", "other", "unknown"]),
    birthDate: natural.isoDate(draw),
    active: natural.chance(draw, 0.5),
    ...natural.maybe(draw, "address", () => ({
      line: draw.pick(STREETS),
      city: draw.pick(CITIES),
      postalCode: natural.numericId(draw, 5),
    })),
    maritalStatus: draw.pick(["single", "married", "widowed", "divorced", null]),
  }),
};

const medication: CorpusContract = {
  name: "medication-order",
  part: object(
    {
      drug: text("Name of the substance"),
      dose_mg: number(
        "Single dose in milligrams",
        { exclusiveMinimum: 0, maximum: 5000 },
        { units: ["mg", "milligrams"], otherUnits: ["ml", "°C"] },
      ),
      doses_per_day: integer(
        "How many doses a day",
        { minimum: 1, maximum: 12 },
        { units: ["doses a day", "doses"] },
      ),
      route: choice(["oral", "intravenous", "topical"], "Write 'by mouth' as oral and 'IV' as intravenous.", {
        synonyms: { oral: ["by mouth"], intravenous: ["IV"] },
      }),
      duration_days: integer(
        "Length of the course in days",
        { minimum: 1, maximum: 365 },
        { units: ["days"], otherUnits: ["mg"] },
      ),
      as_needed: boolean("Taken only if needed"),
      starts_on: date("First day"),
      instructions: text("To the patient, in plain words"),
    },
    { optional: ["instructions"] },
  ),
  make: (draw) => ({
    drug: draw.pick(["amoxicillin", "paracetamol (acetaminophen)", "vitamin B12", "co-codamol 30/500"]),
    dose_mg: draw.pick([0.5, 5, 12.5, 200, 1000]),
    doses_per_day: natural.between(draw, 1, 6),
    route: draw.pick(["oral", "intravenous", "topical"]),
    duration_days: natural.between(draw, 1, 30),
    as_needed: natural.chance(draw, 0.5),
    starts_on: natural.isoDate(draw),
    ...natural.maybe(draw, "instructions", () => natural.sentence(draw)),
  }),
};

const lab: CorpusContract = {
  name: "lab-panel",
  part: object({
    sample_id: text("Printed on the tube"),
    taken_on: date("Day of sampling"),
    temperature_c: number(
      "Storage temperature in °C",
      { minimum: -90, maximum: 60 },
      { units: ["°C", "degrees Celsius"], otherUnits: ["kg", "mmol/L"] },
    ),
    results: list(
      object({
        analyte: text(),
        mmol_per_l: number(
          "Concentration in mmol/L",
          { minimum: 0 },
          { units: ["mmol/L"], otherUnits: ["kg", "°C"] },
        ),
        flag: choice(["low", "normal", "high"], "Against the reference range"),
      }),
      "One per analyte",
      { minItems: 1 },
    ),
    comment: nullable(text("Remark of the laboratory")),
  }),
  make: (draw) => ({
    sample_id: natural.code(draw, "S", 6),
    taken_on: natural.isoDate(draw),
    temperature_c: natural.decimal(draw, -80, 25, 1),
    results: natural
      .some(draw, ["sodium", "potassium", "glucose (fasting)", "urea"], 1, 3)
      .map((analyte) => ({
        analyte,
        mmol_per_l: natural.decimal(draw, 0.1, 150, 2),
        flag: draw.pick(["low", "normal", "high"]),
      })),
    comment: natural.chance(draw, 0.5) ? natural.sentence(draw) : null,
  }),
};

const reading: CorpusContract = {
  name: "sensor-reading",
  part: object({
    device_id: text("Serial number"),
    measured_at: dateTime("Time of the reading"),
    temperature: number(
      "Air temperature in degrees Celsius",
      {},
      { units: ["°C", "degrees Celsius"], otherUnits: ["hPa", "kg"] },
    ),
    humidity_percent: number(
      "Relative humidity in percent",
      { minimum: 0, maximum: 100 },
      { percent: "points" },
    ),
    pressure_hpa: number(
      "Air pressure in hPa",
      { minimum: 300, maximum: 1100 },
      { units: ["hPa"], otherUnits: ["°C"] },
    ),
    battery: number("Charge as a share between 0 and 1", { minimum: 0, maximum: 1 }, { percent: "share" }),
    uptime_seconds: integer(
      "Seconds since the last restart",
      { minimum: 0 },
      { units: ["seconds", "s"], otherUnits: ["hPa"] },
    ),
    is_calibrated: boolean("Whether calibration is current"),
    mode: choice(["continuous", "on_demand", "power_save"], "Mode of operation"),
  }),
  make: (draw) => ({
    device_id: draw.pick([natural.hex(draw, 8), natural.uuid(draw)]),
    measured_at: natural.isoDateTime(draw),
    temperature: natural.decimal(draw, -30, 45, 1),
    humidity_percent: natural.decimal(draw, 5, 99, 1),
    pressure_hpa: natural.decimal(draw, 950, 1050, 1),
    battery: natural.decimal(draw, 0.02, 0.99, 2),
    uptime_seconds: natural.between(draw, 10, 900_000),
    is_calibrated: natural.chance(draw, 0.5),
    mode: draw.pick(["continuous", "on_demand", "power_save"]),
  }),
};

export const HEALTH = [observation, patient, medication, lab, reading];
