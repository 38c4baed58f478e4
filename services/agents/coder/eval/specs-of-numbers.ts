import type { Spec } from "./spec.ts";

/** Functions, each with a bug: those of the first half of the set. */
export const SPECS_OF_NUMBERS: readonly Spec[] = [
  {
    name: "sumTo",
    kind: "off-by-one",
    report: "The last number is missing in the sum.",
    code: {
      js: "export function sumTo(n) {\n  let sum = 0;\n  for (let i = 1; i «<=¦<» n; i++) sum += i;\n  return sum;\n}\n",
      py: "def sumTo(n):\n    total = 0\n    i = 1\n    while i «<=¦<» n:\n        total += i\n        i += 1\n    return total\n",
      go: "func sumTo(n int) int {\n\tsum := 0\n\tfor i := 1; i «<=¦<» n; i++ {\n\t\tsum += i\n\t}\n\treturn sum\n}\n",
    },
    strong: [
      [[0], 0],
      [[1], 1],
      [[4], 10],
      [[10], 55],
    ],
    weak: [[[1], 1]],
    green: [[[0], 0]],
    hidden: [
      [[2], 3],
      [[100], 5050],
      [[0], 0],
    ],
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
    strong: [
      [[17], false],
      [[18], true],
      [[19], true],
      [[3], false],
      [[90], true],
    ],
    weak: [[[18], true]],
    green: [
      [[30], true],
      [[4], false],
    ],
    hidden: [
      [[17], false],
      [[18], true],
      [[0], false],
      [[120], true],
    ],
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
    strong: [
      [[true, false], true],
      [[true, true], false],
      [[false, false], false],
      [[false, true], false],
    ],
    weak: [[[false, false], false]],
    green: [[[true, false], true]],
    hidden: [
      [[true, false], true],
      [[true, true], false],
      [[false, false], false],
      [[false, true], false],
    ],
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
    strong: [
      [[3, 4], 12],
      [[2, 5], 10],
      [[7, 1], 7],
    ],
    weak: [[[1, 1], 1]],
    green: [[[2, 2], 4]],
    hidden: [
      [[3, 4], 12],
      [[9, 9], 81],
      [[0, 5], 0],
    ],
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
    strong: [
      [[[3, 9, 4]], 9],
      [[[5]], 5],
      [[[-4, -2, -8]], -2],
    ],
    weak: [[[[1, 2]], 2]],
    green: [[[[7, 7]], 7]],
    hidden: [
      [[[1, 5, 2]], 5],
      [[[9, 1]], 9],
      [[[-3, -1]], -1],
    ],
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
    strong: [
      [[[2, 4]], 3],
      [[[1, 2, 3]], 2],
      [[[10, 20, 30, 40]], 25],
    ],
    weak: [[[[0, 0, 6]], 2]],
    green: [[[[0, 0]], 0]],
    hidden: [
      [[[4, 6]], 5],
      [[[9, 9, 9]], 9],
    ],
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
    strong: [
      [["one two"], 2],
      [[""], 0],
      [["a  b c"], 3],
    ],
    weak: [[[""], 0]],
    green: [],
    hidden: [
      [["x"], 1],
      [["a b c d"], 4],
      [[" "], 0],
    ],
  },
];
