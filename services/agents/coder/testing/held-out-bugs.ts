/**
 * Bugs written after the catalogue of repairs and before its first scoring on them. Nothing was tuned on them:
 * whoever changes the catalogue because of one of these moves it to the samples and writes another.
 */
export interface HeldOutBug {
  readonly id: string;
  readonly issue: string;
  readonly source: string;
  readonly test: string;
}

const TEST_HEAD =
  'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport * as own from "../src/index.js";\n';

const bug = (id: string, issue: string, [source, test]: readonly [string, string]): HeldOutBug => ({
  id,
  issue,
  source,
  test: TEST_HEAD + test,
});

export const HELD_OUT_BUGS: readonly HeldOutBug[] = [
  bug("pages", "The last page is missing when it is not full.", [
    `export function pageCount(items, size) {
  return Math.floor(items / size);
}
export function pageOf(list, page, size) {
  const start = (page - 1) * size;
  return list.slice(start, start + size);
}
`,
    `test("a page that is not full counts", () => assert.equal(own.pageCount(21, 10), 3));
test("full pages count", () => assert.equal(own.pageCount(20, 10), 2));
test("a page is cut out", () => assert.deepEqual(own.pageOf([1, 2, 3, 4, 5], 2, 2), [3, 4]));
`,
  ]),
  bug("leap", "1900 is taken for a leap year.", [
    `export function isLeap(year) {
  return year % 4 === 0 && (year % 100 !== 0 && year % 400 === 0);
}
export function daysIn(year) {
  return isLeap(year) ? 366 : 365;
}
`,
    `test("every fourth year", () => assert.equal(own.isLeap(2024), true));
test("not the hundredth", () => assert.equal(own.isLeap(1900), false));
test("but the four hundredth", () => assert.equal(own.daysIn(2000), 366));
`,
  ]),
  bug("tags", "Adding a tag to one post adds it to all.", [
    `const BLANK = { tags: [], title: "" };
export function createPost(title) {
  return { ...BLANK, title };
}
export function addTag(post, tag) {
  post.tags.push(tag);
  return post;
}
`,
    `test("tags belong to one post", () => {
  own.addTag(own.createPost("a"), "x");
  assert.deepEqual(own.createPost("b").tags, []);
});
test("a tag is added", () => assert.deepEqual(own.addTag(own.createPost("c"), "y").tags.at(-1), "y"));
`,
  ]),
  bug("scores", "The ranking has 100 before 9.", [
    `export function ranking(scores) {
  return [...scores].sort();
}
export function median(scores) {
  const sorted = ranking(scores);
  return sorted[Math.floor(sorted.length / 2)];
}
`,
    `test("scores ascend", () => assert.deepEqual(own.ranking([100, 9, 25]), [9, 25, 100]));
test("the median lies in the middle", () => assert.equal(own.median([100, 9, 25]), 25));
`,
  ]),
  bug("users", "Loading users fails: names are undefined.", [
    `async function fetchUser(id, source) {
  const row = await source.get(id);
  return { id, name: row.name.trim() };
}
export async function names(ids, source) {
  const users = await ids.map((id) => fetchUser(id, source));
  return users.map((user) => user.name);
}
`,
    `const source = { get: async (id) => ({ name: \` user \${id} \` }) };
test("names are loaded", async () => assert.deepEqual(await own.names([1, 2], source), ["user 1", "user 2"]));
`,
  ]),
  bug("config", "A retry count of 0 is ignored.", [
    `export function readOptions(options = {}) {
  const retries = options.retries || 3;
  const name = options.name || "job";
  return { retries, name };
}
`,
    `test("0 is a count", () => assert.equal(own.readOptions({ retries: 0 }).retries, 0));
test("there is a default", () => assert.deepEqual(own.readOptions(), { retries: 3, name: "job" }));
`,
  ]),
  bug("profile", "The page breaks for people without an address.", [
    `export function cityOf(person) {
  return person.address.city.toUpperCase();
}
export function label(person) {
  const city = cityOf(person);
  return city === undefined ? person.name : \`\${person.name} (\${city})\`;
}
`,
    `test("a city is told", () => assert.equal(own.label({ name: "Ada", address: { city: "Rome" } }), "Ada (ROME)"));
test("nobody needs an address", () => assert.equal(own.label({ name: "Kurt" }), "Kurt"));
`,
  ]),
  bug("search", "The search does not find the last entry.", [
    `export function indexOfSorted(list, wanted) {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (list[middle] === wanted) return middle;
    if (list[middle] < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
`,
    `test("the last is found", () => assert.equal(own.indexOfSorted([1, 3, 5, 7], 7), 3));
test("the first is found", () => assert.equal(own.indexOfSorted([1, 3, 5, 7], 1), 0));
test("what is not there is not found", () => assert.equal(own.indexOfSorted([1, 3], 2), -1));
`,
  ]),
  bug("slug", "Slugs keep their second space.", [
    `export function slug(title) {
  return title.trim().toLowerCase().replace(" ", "-");
}
`,
    `test("spaces become hyphens", () => assert.equal(own.slug(" A Short Title "), "a-short-title"));
`,
  ]),
  bug("discount", "Discounts are taken of the wrong thing.", [
    `export function share(part, whole) {
  return part / whole;
}
export function discountPercent(paid, price) {
  return Math.round((1 - share(price, paid)) * 100);
}
`,
    `test("a quarter off", () => assert.equal(own.discountPercent(75, 100), 25));
test("nothing off", () => assert.equal(own.discountPercent(100, 100), 0));
`,
  ]),
  bug("queue", "Jobs run in the wrong order.", [
    `export class Queue {
  #jobs = [];
  add(job) {
    this.#jobs.push(job);
    return this;
  }
  next() {
    return this.#jobs.pop();
  }
  get length() {
    return this.#jobs.length;
  }
}
`,
    `test("first come, first served", () => {
  const queue = new own.Queue().add("a").add("b");
  assert.equal(queue.next(), "a");
  assert.equal(queue.length, 1);
});
`,
  ]),
  bug("average", "The average of nothing is NaN.", [
    `export function sum(list) {
  return list.reduce((total, one) => total + one, 0);
}
export function average(list) {
  return sum(list) / list.length;
}
`,
    `test("of nothing it is 0", () => assert.equal(own.average([]), 0));
test("of some", () => assert.equal(own.average([1, 2, 6]), 3));
`,
  ]),
  bug("initials", "initials() gives nothing.", [
    `export function initials(name) {
  name
    .split(" ")
    .map((part) => part.charAt(0))
    .join("");
}
`,
    `test("of two names", () => assert.equal(own.initials("Ada Lovelace"), "AL"));
`,
  ]),
  bug("temperature", "Fahrenheit is wrong.", [
    `export function toFahrenheit(celsius) {
  return celsius * 9 / 5 + 23;
}
`,
    `test("water freezes", () => assert.equal(own.toFahrenheit(0), 32));
test("water boils", () => assert.equal(own.toFahrenheit(100), 212));
`,
  ]),
  bug("permissions", "Guests may edit.", [
    `const LEVELS = ["guest", "member", "admin"];
export function may(user, needed) {
  return LEVELS.indexOf(user.level) <= LEVELS.indexOf(needed);
}
`,
    `test("guests may not", () => assert.equal(own.may({ level: "guest" }, "member"), false));
test("admins may", () => assert.equal(own.may({ level: "admin" }, "member"), true));
test("equals may", () => assert.equal(own.may({ level: "member" }, "member"), true));
`,
  ]),
  bug("groups", "Only the last of each group is kept.", [
    `export function groupBy(list, keyOf) {
  const groups = new Map();
  for (const item of list) {
    const key = keyOf(item);
    groups.set(key, [item]);
  }
  return groups;
}
`,
    `test("all are kept", () => {
  const groups = own.groupBy([1, 2, 3, 4], (n) => n % 2);
  assert.deepEqual(groups.get(0), [2, 4]);
  assert.deepEqual(groups.get(1), [1, 3]);
});
`,
  ]),
  bug("retry", "The job is tried once too often.", [
    `export async function withRetry(job, times) {
  let tries = 0;
  for (;;) {
    try {
      return await job();
    } catch (error) {
      tries += 1;
      if (tries > times) throw error;
    }
  }
}
`,
    `test("as often as it says", async () => {
  let calls = 0;
  await assert.rejects(own.withRetry(async () => { calls += 1; throw new Error("no"); }, 3));
  assert.equal(calls, 3);
});
`,
  ]),
  bug("rounding", "Totals in euros are cut off.", [
    `export function euros(cents) {
  return parseInt(cents) / 100;
}
export function total(lines) {
  let sum = 0;
  for (const { count, price } of lines) {
    const line = count * price;
    sum = line;
  }
  return euros(sum);
}
`,
    `test("lines are added", () => assert.equal(own.total([{ count: 2, price: 150 }, { count: 1, price: 99 }]), 3.99));
`,
  ]),
];
