import {
  boolean,
  choice,
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
import { CITIES, FOODS, STREETS, TOPICS } from "../words.ts";

const calendar: CorpusContract = {
  name: "calendar-event",
  part: object(
    {
      title: text("Shown in the calendar"),
      starts_at: dateTime(),
      duration_minutes: integer(
        "Length in minutes",
        { minimum: 5, maximum: 1440 },
        { units: ["minutes", "min"], otherUnits: ["km"] },
      ),
      location: nullable(text("Room or address")),
      attendees: list(
        object({
          name: text(),
          email: text("", { format: "email" }),
          response: choice(["accepted", "declined", "tentative"]),
        }),
      ),
      is_all_day: boolean(),
      reminder: choice(["none", "popup", "email"], "How to remind"),
    },
    { optional: ["reminder"] },
  ),
  make: (draw) => ({
    title: natural.sentence(draw),
    starts_at: natural.isoDateTime(draw),
    duration_minutes: draw.pick([15, 30, 45, 90, 1440]),
    location: natural.chance(draw, 0.6) ? draw.pick(STREETS) : null,
    attendees: natural.times(draw, 1, 3, () => ({
      name: natural.person(draw),
      email: natural.email(draw),
      response: draw.pick(["accepted", "declined", "tentative"]),
    })),
    is_all_day: natural.chance(draw, 0.3),
    ...natural.maybe(draw, "reminder", () => draw.pick(["none", "popup", "email"])),
  }),
};

const flights: CorpusContract = {
  name: "search-flights",
  part: object(
    {
      origin: text("IATA code of the airport", { pattern: "^[A-Z]{3}$" }),
      destination: text("IATA code of the airport", { pattern: "^[A-Z]{3}$" }),
      departure_date: date("Day of departure"),
      passengers: object({
        adults: integer("", { minimum: 1, maximum: 9 }, { units: ["adults"] }),
        children: integer("", { minimum: 0, maximum: 9 }, { units: ["children"] }),
      }),
      cabin: choice(["economy", "premium_economy", "business", "first"], "Coach means economy.", {
        synonyms: { economy: ["coach"] },
      }),
      max_price: nullable(
        number("Highest price per person in US dollars", { minimum: 0 }, { currency: { code: "USD" } }),
      ),
      airlines: list(text("IATA code of the airline"), "Only these"),
      direct_only: boolean("No stops"),
    },
    { optional: ["airlines"], description: "Arguments of the tool search_flights" },
  ),
  make: (draw) => ({
    origin: draw.pick(["OSL", "JFK", "NRT"]),
    destination: draw.pick(["CDG", "LHR", "SFO"]),
    departure_date: natural.isoDate(draw),
    passengers: { adults: natural.between(draw, 1, 4), children: natural.between(draw, 0, 3) },
    cabin: draw.pick(["economy", "premium_economy", "business", "first"]),
    max_price: natural.chance(draw, 0.6) ? natural.price(draw) : null,
    ...natural.maybe(draw, "airlines", () => natural.some(draw, ["SK", "LH", "AF", "NH"], 1, 3)),
    direct_only: natural.chance(draw, 0.5),
  }),
};

const booking: CorpusContract = {
  name: "hotel-booking",
  part: object({
    confirmation: text("Confirmation code, may begin with zeros"),
    guest_name: text("Name of the main guest", {}, { aliases: ["main guest"] }),
    hotel: text("Name of the house"),
    check_in: date("Day of arrival. Guests write DD.MM.YYYY.", { writtenDates: "DD.MM.YYYY" }),
    nights: integer(
      "Number of nights",
      { minimum: 1, maximum: 60 },
      { units: ["nights"], otherUnits: ["kg"] },
    ),
    guests: integer("Number of guests", { minimum: 1, maximum: 8 }, { units: ["guests"] }),
    board: choice(["none", "breakfast", "half_board", "full_board"]),
    total_price: number("For the whole stay", { minimum: 0 }, { currency: { beside: "currency" } }),
    currency: choice(["EUR", "USD", "GBP"], "Currency of the price"),
    is_paid: boolean(),
  }),
  make: (draw) => ({
    confirmation: natural.numericId(draw),
    guest_name: natural.person(draw),
    hotel: draw.pick(["Hotel Bristol", "The Inn (at Oslo)", "旅館 山水"]),
    check_in: natural.isoDate(draw),
    nights: natural.between(draw, 1, 14),
    guests: natural.between(draw, 1, 6),
    board: draw.pick(["none", "breakfast", "half_board", "full_board"]),
    total_price: natural.price(draw),
    currency: draw.pick(["EUR", "USD", "GBP"]),
    is_paid: natural.chance(draw, 0.5),
  }),
};

const job: CorpusContract = {
  name: "job-posting",
  part: object(
    {
      title: text(),
      company: text(),
      location: object({ city: text(), country_code: text("", { pattern: "^[A-Z]{2}$" }) }),
      employment: choice(
        ["full_time", "part_time", "contract", "internship"],
        "Type of employment. Freelance work is contract.",
        {
          synonyms: { contract: ["freelance"] },
        },
      ),
      salary_min: nullable(integer("Yearly, in US dollars", { minimum: 0 }, { currency: { code: "USD" } })),
      remote: boolean("Whether it can be done from home"),
      skills: list(text(), "Required skills", { minItems: 1 }),
      posted_on: date(),
    },
    { isOpen: true },
  ),
  make: (draw) => ({
    title: draw.pick(["Senior Engineer (m/f/d)", "Data Analyst: Retail", "Sous-chef", "データエンジニア"]),
    company: draw.pick(["Acme Corp.", "Müller & Söhne GmbH", "Yahoo!"]),
    location: { city: draw.pick(CITIES), country_code: draw.pick(["NO", "DE", "US"]) },
    employment: draw.pick(["full_time", "part_time", "contract", "internship"]),
    salary_min: natural.chance(draw, 0.7) ? natural.between(draw, 30, 200) * 1000 : null,
    remote: natural.chance(draw, 0.5),
    skills: natural.some(draw, TOPICS, 1, 4),
    posted_on: natural.isoDate(draw),
  }),
};

const recipe: CorpusContract = {
  name: "recipe",
  part: object(
    {
      name: text(),
      servings: integer("Number of servings", { minimum: 1, maximum: 50 }, { units: ["servings"] }),
      oven_celsius: nullable(
        integer(
          "Oven temperature in °C",
          { minimum: 50, maximum: 300 },
          { units: ["°C"], otherUnits: ["g"] },
        ),
      ),
      ingredients: list(
        object({
          name: text(),
          grams: number(
            "Weight in grams",
            { minimum: 0 },
            { units: ["g", "grams"], otherUnits: ["°C", "minutes"] },
          ),
        }),
        "",
        { minItems: 1 },
      ),
      steps: list(text(), "In order", { minItems: 1 }),
      difficulty: choice(["easy", "medium", "hard"]),
      is_vegetarian: boolean(),
    },
    {},
  ),
  make: (draw) => ({
    name: draw.pick(["Grandma's apple pie", "Crème brûlée", "Okonomiyaki (お好み焼き)"]),
    servings: natural.between(draw, 1, 12),
    oven_celsius: natural.chance(draw, 0.7) ? draw.pick([160, 180, 220]) : null,
    ingredients: natural
      .some(draw, FOODS, 1, 4)
      .map((name) => ({ name, grams: draw.pick([2.5, 10, 125, 500, 1200]) })),
    steps: natural.some(
      draw,
      [
        "Heat the oven to 180 °C.",
        "Mix flour, sugar and butter",
        "Bake for 25-30 minutes; let it cool",
        'Serve "warm"',
      ],
      1,
      4,
    ),
    difficulty: draw.pick(["easy", "medium", "hard"]),
    is_vegetarian: natural.chance(draw, 0.5),
  }),
};

export const EVERYDAY = [calendar, flights, booking, job, recipe];
