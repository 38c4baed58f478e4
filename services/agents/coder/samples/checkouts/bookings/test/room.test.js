import assert from "node:assert/strict";
import { test } from "node:test";
import { findRoom, firstGap } from "../src/find-room.js";
import { interval } from "../src/interval.js";
import { Room } from "../src/room.js";

test("a room is booked back to back", () => {
  const room = new Room("Oslo", 6);
  room.book("ada", interval(600, 660));
  room.book("kurt", interval(540, 600));
  assert.deepEqual(
    room.bookings.map(({ who }) => who),
    ["kurt", "ada"],
  );
});

test("a room is not booked twice", () => {
  const room = new Room("Oslo", 6);
  room.book("ada", interval(600, 660));
  assert.throws(() => room.book("kurt", interval(630, 690)), /not free/);
});

test("gaps lie between bookings", () => {
  const room = new Room("Oslo", 6);
  room.book("ada", interval(540, 600));
  room.book("kurt", interval(660, 720));
  assert.deepEqual(room.gaps(), [interval(480, 540), interval(600, 660), interval(720, 1080)]);
});

test("the first gap may be just as long as is wanted", () => {
  const room = new Room("Oslo", 6);
  room.book("ada", interval(540, 600));
  assert.deepEqual(firstGap(room, 60), interval(480, 540));
});

test("the smallest free room is found", () => {
  const [small, large] = [new Room("Bern", 4), new Room("Oslo", 10)];
  assert.equal(findRoom([large, small], { seats: 3, when: interval(600, 660) }), small);
  small.book("ada", interval(600, 660));
  assert.equal(findRoom([large, small], { seats: 3, when: interval(600, 660) }), large);
});
