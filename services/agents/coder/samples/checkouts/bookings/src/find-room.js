import { interval, lengthOf } from "./interval.js";

/** The smallest room that is free and has enough seats; undefined where there is none. */
export function findRoom(rooms, { seats, when }) {
  return rooms
    .filter((room) => room.seats >= seats && room.isFree(when))
    .toSorted((a, b) => a.seats - b.seats || a.name.localeCompare(b.name))
    .at(0);
}

/** The first interval of that length in which the room is free; undefined where it has none. */
export function firstGap(room, minutes) {
  const gap = room.gaps().find((one) => lengthOf(one) > minutes);
  return gap === undefined ? undefined : interval(gap.start, gap.start + minutes);
}
