/** A value that every language of the set can write. */
export type Value = number | string | boolean | readonly number[] | readonly string[];

/** Arguments and the result that is right. */
export type Example = readonly [args: readonly Value[], wanted: Value];

/** One function with a bug, in several languages. */
export interface Spec {
  readonly name: string;
  readonly kind: string;
  /** What somebody who met the bug would write. */
  readonly report: string;
  /** Code by language; `«right¦wrong»` marks the bug. */
  readonly code: { readonly js: string; readonly py: string; readonly go: string };
  /** Tests that pin the function down; at least one of them shows the bug. */
  readonly strong: readonly Example[];
  /** Tests that show the bug and let wrong fixes through. */
  readonly weak: readonly Example[];
  /** Tests that are green with the bug. */
  readonly green: readonly Example[];
  /** Tests that the team never sees. */
  readonly hidden: readonly Example[];
}

export const SPECS: readonly Spec[] = [
  {
    name: "sumTo",
    kind: "off-by-one",
    report: "The last number is missing in the sum.",
    code: {
      js: "export function sumTo(n) {\n  let sum = 0;\n  for (let i = 1; i «<=¦<» n; i++) sum += i;\n  return sum;\n}\n",
      py: "def sumTo(n):\n    total = 0\n    i = 1\n    while i «<=¦<» n:\n        total += i\n        i += 1\n    return total\n",
      go: "func sumTo(n int) int {\n\tsum := 0\n\tfor i := 1; i «<=¦<» n; i++ {\n\t\tsum += i\n\t}\n\treturn sum\n}\n",
    },
    strong: [[[0], 0], [[1], 1], [[4], 10], [[10], 55]],
    weak: [[[1], 1]],
    green: [[[0], 0]],
    hidden: [[[2], 3], [[100], 5050], [[0], 0]],
  },
  {
    name: "isAdult",
    kind: "boundary",
    report: "Somebody who is exactly 18 is sent away.",
    code: {
      js: "export function isAdult(age) {\n  return age «>=¦>» 18;\n}\n",
      py: "def isAdult(age):\n    return age «>=¦>» 18\n",
      go: "func isAdult(age int) bool {\n\treturn age «>=¦>» 18\n}\n",
    },
    strong: [[[17], false], [[18], true], [[19], true], [[3], false], [[90], true]],
    weak: [[[18], true]],
    green: [[[30], true], [[4], false]],
    hidden: [[[17], false], [[18], true], [[0], false], [[120], true]],
  },
  {
    name: "canEnter",
    kind: "wrong connective",
    report: "People without a ticket come in when it is not full.",
    code: {
      js: "export function canEnter(hasTicket, isFull) {\n  return hasTicket «&&¦||» !isFull;\n}\n",
      py: "def canEnter(hasTicket, isFull):\n    return hasTicket «and¦or» not isFull\n",
      go: "func canEnter(hasTicket bool, isFull bool) bool {\n\treturn hasTicket «&&¦||» !isFull\n}\n",
    },
    strong: [[[true, false], true], [[true, true], false], [[false, false], false], [[false, true], false]],
    weak: [[[false, false], false]],
    green: [[[true, false], true]],
    hidden: [[[true, false], true], [[true, true], false], [[false, false], false], [[false, true], false]],
  },
  {
    name: "area",
    kind: "wrong operator",
    report: "The area of a room of 3 by 4 is wrong.",
    code: {
      js: "export function area(width, height) {\n  return width «*¦+» height;\n}\n",
      py: "def area(width, height):\n    return width «*¦+» height\n",
      go: "func area(width int, height int) int {\n\treturn width «*¦+» height\n}\n",
    },
    strong: [[[3, 4], 12], [[2, 5], 10], [[7, 1], 7]],
    weak: [[[1, 1], 1]],
    green: [[[2, 2], 4]],
    hidden: [[[3, 4], 12], [[9, 9], 81], [[0, 5], 0]],
  },
  {
    name: "largest",
    kind: "wrong comparison",
    report: "Instead of the largest value the smallest comes out.",
    code: {
      js: "export function largest(values) {\n  let best = values[0];\n  for (const value of values) if (value «>¦<» best) best = value;\n  return best;\n}\n",
      py: "def largest(values):\n    best = values[0]\n    for value in values:\n        if value «>¦<» best:\n            best = value\n    return best\n",
      go: "func largest(values []int) int {\n\tbest := values[0]\n\tfor _, value := range values {\n\t\tif value «>¦<» best {\n\t\t\tbest = value\n\t\t}\n\t}\n\treturn best\n}\n",
    },
    strong: [[[[3, 9, 4]], 9], [[[5]], 5], [[[-4, -2, -8]], -2]],
    weak: [[[[1, 2]], 2]],
    green: [[[[7, 7]], 7]],
    hidden: [[[[1, 5, 2]], 5], [[[9, 1]], 9], [[[-3, -1]], -1]],
  },
  {
    name: "average",
    kind: "off-by-one",
    report: "The average is too high.",
    code: {
      js: "export function average(values) {\n  let sum = 0;\n  for (const value of values) sum += value;\n  return sum / «values.length¦(values.length - 1)»;\n}\n",
      py: "def average(values):\n    total = 0\n    for value in values:\n        total += value\n    return total // «len(values)¦(len(values) - 1)»\n",
      go: "func average(values []int) int {\n\tsum := 0\n\tfor _, value := range values {\n\t\tsum += value\n\t}\n\treturn sum / «len(values)¦(len(values) - 1)»\n}\n",
    },
    strong: [[[[2, 4]], 3], [[[1, 2, 3]], 2], [[[10, 20, 30, 40]], 25]],
    weak: [[[[0, 0, 3]], 1]],
    green: [[[[0, 0]], 0]],
    hidden: [[[[4, 6]], 5], [[[9, 9, 9]], 9]],
  },
  {
    name: "countWords",
    kind: "wrong start",
    report: "One word too many is counted.",
    code: {
      js: 'export function countWords(text) {\n  let count = «0¦1»;\n  for (const word of text.split(" ")) if (word !== "") count += 1;\n  return count;\n}\n',
      py: 'def countWords(text):\n    count = «0¦1»\n    for word in text.split(" "):\n        if word != "":\n            count += 1\n    return count\n',
      go: 'import "strings"\n\nfunc countWords(text string) int {\n\tcount := «0¦1»\n\tfor _, word := range strings.Split(text, " ") {\n\t\tif word != "" {\n\t\t\tcount += 1\n\t\t}\n\t}\n\treturn count\n}\n',
    },
    strong: [[["one two"], 2], [[""], 0], [["a  b c"], 3]],
    weak: [[[""], 0]],
    green: [],
    hidden: [[["x"], 1], [["a b c d"], 4], [[" "], 0]],
  },
  {
    name: "fare",
    kind: "wrong sign",
    report: "A child's ticket is dearer than one for adults.",
    code: {
      js: "export function fare(base, isChild) {\n  if (isChild) return base «-¦+» 5;\n  return base;\n}\n",
      py: "def fare(base, isChild):\n    if isChild:\n        return base «-¦+» 5\n    return base\n",
      go: "func fare(base int, isChild bool) int {\n\tif isChild {\n\t\treturn base «-¦+» 5\n\t}\n\treturn base\n}\n",
    },
    strong: [[[20, true], 15], [[20, false], 20], [[9, true], 4]],
    weak: [[[5, true], 0]],
    green: [[[20, false], 20]],
    hidden: [[[30, true], 25], [[30, false], 30], [[6, true], 1]],
  },
  {
    name: "isEven",
    kind: "inverted condition",
    report: "Odd numbers are taken for even ones.",
    code: {
      js: "export function isEven(n) {\n  return n % 2 «===¦!==» 0;\n}\n",
      py: "def isEven(n):\n    return n % 2 «==¦!=» 0\n",
      go: "func isEven(n int) bool {\n\treturn n%2 «==¦!=» 0\n}\n",
    },
    strong: [[[2], true], [[3], false], [[10], true], [[7], false], [[0], true], [[1], false], [[4], true]],
    weak: [[[0], true]],
    green: [],
    hidden: [[[8], true], [[9], false], [[100], true]],
  },
  {
    name: "firstGap",
    kind: "boundary",
    report: "A gap that is exactly as long as what is asked for is passed over.",
    code: {
      js: "export function firstGap(gaps, needed) {\n  for (let i = 0; i < gaps.length; i++) if (gaps[i] «>=¦>» needed) return i;\n  return -1;\n}\n",
      py: "def firstGap(gaps, needed):\n    for i, gap in enumerate(gaps):\n        if gap «>=¦>» needed:\n            return i\n    return -1\n",
      go: "func firstGap(gaps []int, needed int) int {\n\tfor i, gap := range gaps {\n\t\tif gap «>=¦>» needed {\n\t\t\treturn i\n\t\t}\n\t}\n\treturn -1\n}\n",
    },
    strong: [[[[1, 4, 9], 4], 1], [[[1, 4, 9], 5], 2], [[[1], 2], -1], [[[7, 8], 3], 0]],
    weak: [[[[4], 4], 0]],
    green: [[[[9], 2], 0]],
    hidden: [[[[3, 3], 3], 0], [[[2, 5], 3], 1], [[[1, 1], 4], -1]],
  },
  {
    name: "joinPath",
    kind: "missing text",
    report: "Folder and name stick together.",
    code: {
      js: 'export function joinPath(folder, name) {\n  return folder + «"/"¦""» + name;\n}\n',
      py: 'def joinPath(folder, name):\n    return folder + «"/"¦""» + name\n',
      go: 'func joinPath(folder string, name string) string {\n\treturn folder + «"/"¦""» + name\n}\n',
    },
    strong: [[["a", "b"], "a/b"], [["docs", "x"], "docs/x"]],
    weak: [[["a", "b"], "a/b"]],
    green: [],
    hidden: [[["q", "r"], "q/r"], [["", "r"], "/r"]],
  },
  {
    name: "shout",
    kind: "wrong call",
    report: "Headings come out in small letters.",
    code: {
      js: 'export function shout(text) {\n  return text.«toUpperCase¦toLowerCase»() + "!";\n}\n',
      py: 'def shout(text):\n    return text.«upper¦lower»() + "!"\n',
      go: 'import "strings"\n\nfunc shout(text string) string {\n\treturn strings.«ToUpper¦ToLower»(text) + "!"\n}\n',
    },
    strong: [[["abc"], "ABC!"], [["Hi"], "HI!"]],
    weak: [[["a"], "A!"]],
    green: [[["1"], "1!"]],
    hidden: [[["mixed Case"], "MIXED CASE!"], [[""], "!"]],
  },
  {
    name: "retryDelay",
    kind: "wrong constant",
    report: "The wait between tries grows too fast.",
    code: {
      js: "export function retryDelay(tries) {\n  let delay = 100;\n  for (let i = 0; i < tries; i++) delay = delay * «2¦3»;\n  return delay;\n}\n",
      py: "def retryDelay(tries):\n    delay = 100\n    for i in range(tries):\n        delay = delay * «2¦3»\n    return delay\n",
      go: "func retryDelay(tries int) int {\n\tdelay := 100\n\tfor i := 0; i < tries; i++ {\n\t\tdelay = delay * «2¦3»\n\t}\n\treturn delay\n}\n",
    },
    strong: [[[0], 100], [[1], 200], [[3], 800]],
    weak: [[[1], 200]],
    green: [[[0], 100]],
    hidden: [[[2], 400], [[5], 3200]],
  },
  {
    name: "isWeekend",
    kind: "missing case",
    report: "Sunday, which is day 7, is taken for a working day.",
    code: {
      js: "export function isWeekend(day) {\n  return «day === 6 || day === 7¦day === 6»;\n}\n",
      py: "def isWeekend(day):\n    return «day == 6 or day == 7¦day == 6»\n",
      go: "func isWeekend(day int) bool {\n\treturn «day == 6 || day == 7¦day == 6»\n}\n",
    },
    strong: [[[6], true], [[7], true], [[5], false], [[1], false]],
    weak: [[[7], true]],
    green: [[[6], true], [[2], false]],
    hidden: [[[6], true], [[7], true], [[3], false], [[5], false]],
  },
];
