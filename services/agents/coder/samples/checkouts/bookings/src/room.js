import { contains, interval, lengthOf, overlaps } from "./interval.js";

const OPENING = interval(8 * 60, 18 * 60);

/** A room with its bookings of one day. */
export class Room {
  #bookings = [];

  constructor(name, seats) {
    this.name = name;
    this.seats = seats;
  }

  get bookings() {
    return [...this.#bookings];
  }

  /** @returns true when the room is free for all of the interval, within opening hours. */
  isFree(wanted) {
    return contains(OPENING, wanted) && !this.#bookings.some((booking) => overlaps(booking.when, wanted));
  }

  book(who, when) {
    if (!this.isFree(when)) throw new Error(`${this.name} is not free then`);
    const booking = { who, when };
    this.#bookings.push(booking);
    this.#bookings.sort((a, b) => a.when.start - b.when.start);
    return booking;
  }

  cancel(who) {
    const before = this.#bookings.length;
    this.#bookings = this.#bookings.filter((booking) => booking.who !== who);
    return before - this.#bookings.length;
  }

  /** Stretches of the opening hours in which nobody is booked. */
  gaps() {
    const gaps = [];
    let at = OPENING.start;
    for (const { when } of this.#bookings) {
      if (at < when.start) gaps.push(interval(at, when.start));
      at = when.end;
    }
    if (at < OPENING.end) gaps.push(interval(at, OPENING.end));
    return gaps;
  }

  /** Minutes booked, as a share of the opening hours. */
  utilisation() {
    const booked = this.#bookings.reduce((sum, { when }) => sum + lengthOf(when), 0);
    return booked / lengthOf(OPENING);
  }
}
