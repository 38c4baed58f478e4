import {
  boolean,
  closed,
  integer,
  list,
  number,
  QTY,
  read,
  refuse,
  STEPS,
  TAGS,
  text,
} from "../contracts.ts";
import type { PolicyRow } from "../contracts.ts";

export const NAMES: readonly PolicyRow[] = [
  read(
    "name in another spelling",
    ['{"firstName": "Ann"}', { first_name: "Ann" }, closed({ first_name: text })],
    "Case and separators make no other name.",
  ),
  read(
    "declared alias",
    ['{"town": "Oslo"}', { city: "Oslo" }, closed({ city: { ...text, "x-aliases": ["town"] } })],
    "The contract says so.",
  ),
  read(
    "slip of the pen",
    ['{"adress": "Oslo"}', { address: "Oslo" }, closed({ address: text })],
    "One character differs, and no other name is near.",
  ),
  refuse(
    "name near to two",
    ['{"staes": 1}', "ambiguous", closed({ states: integer, stakes: integer }, [])],
    "It may be either.",
  ),
  read("two spellings with one value", ['{"qty": 1, "Qty": 1}', { qty: 1 }, QTY], "They agree."),
  refuse(
    "two spellings with two values",
    ['{"qty": 1, "Qty": 2}', "duplicate_key", QTY],
    "They contradict each other.",
  ),
  refuse(
    "names that are paths, or joined with the outer name",
    ['{"user.name": "Ann", "userAge": 3}', "missing", closed({ user: closed({ name: text, age: integer }) })],
    "The member that holds them is not there.",
  ),
  read(
    "member that is too much",
    ['{"qty": 1, "mood": "good"}', { qty: 1 }, QTY],
    "A closed contract has no room; it is listed as unused.",
  ),
  read(
    "member of an open contract",
    [
      '{"qty": "1", "mood": "good"}',
      { qty: 1, mood: "good" },
      { type: "object", properties: { qty: integer } },
    ],
    "An open contract keeps what it does not know.",
  ),
  refuse(
    "name without its unit, and no unit",
    ['{"weight": 71.2}', "missing", closed({ weight_kg: number })],
    "It may be in pounds.",
  ),
  refuse(
    "name without the verb or word that the contract's has",
    ['{"valid": "yes", "dueDate": "2026-03-05"}', "ambiguous", closed({ is_valid: boolean, due: text }, [])],
    "It may be the contract's, or another one.",
  ),
  refuse(
    "name that two dates share",
    [
      '{"start": "2026-03-05"}',
      "ambiguous",
      closed({ start_date: { ...text, format: "date" }, start_time: { ...text, format: "date-time" } }, []),
    ],
    "It may be either.",
  ),
];

export const LEVELS: readonly PolicyRow[] = [
  read("wrapper around a value", ['{"result": 5}', 5, integer], "The wrapper's name says what it holds."),
  read(
    "wrapper around a list",
    ['{"items": [1, 2]}', [1, 2], list(integer)],
    "The wrapper's name says what it holds.",
  ),
  read("list around a value", ['{"age": [5]}', { age: 5 }, closed({ age: integer })], "It holds one item."),
  read("value for a list", ['{"tags": "red"}', { tags: ["red"] }, TAGS], "A list of one."),
  read(
    "missing level",
    [
      '{"id": 3, "name": "x", "notes": {"k": 1}}',
      { user: { id: 3, name: "x" }, notes: { k: 1 } },
      closed({ user: closed({ id: integer, name: text }), notes: { type: "object" } }, ["user"]),
    ],
    "Each member fits at one level only.",
  ),
  read(
    "objects for values",
    ['{"steps": [{"step": "a"}, {"step": "b"}]}', { steps: ["a", "b"] }, STEPS],
    "Each object is named like its list.",
  ),
  refuse("wrapper of an error", ['{"error": {"qty": 1}}', "missing", QTY], "A failure is no answer."),
  refuse(
    "several items for one value",
    ['{"age": [5, 6]}', "mismatch", closed({ age: integer })],
    "Nothing tells which one.",
  ),
];
