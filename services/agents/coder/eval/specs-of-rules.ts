import type { Spec } from "./spec.ts";

/** Functions, each with a bug: those of the second half of the set. */
export const SPECS_OF_RULES: readonly Spec[] = [
  {
    name: "fare",
    kind: "wrong sign",
    report: "A child's ticket is dearer than one for adults.",
    code: {
      js: "export function fare(base, isChild) {\n  if (isChild) return base «-¦+» 5;\n  return base;\n}\n",
      py: "def fare(base, isChild):\n    if isChild:\n        return base «-¦+» 5\n    return base\n",
      go: "func fare(base int, isChild bool) int {\n\tif isChild {\n\t\treturn base «-¦+» 5\n\t}\n\treturn base\n}\n",
    },
    strong: [
      [[20, true], 15],
      [[20, false], 20],
      [[9, true], 4],
    ],
    weak: [[[5, true], 0]],
    green: [[[20, false], 20]],
    hidden: [
      [[30, true], 25],
      [[30, false], 30],
      [[6, true], 1],
    ],
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
    strong: [
      [[2], true],
      [[3], false],
      [[10], true],
      [[7], false],
      [[0], true],
      [[1], false],
      [[4], true],
    ],
    weak: [[[0], true]],
    green: [],
    hidden: [
      [[8], true],
      [[9], false],
      [[100], true],
    ],
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
    strong: [
      [[[1, 4, 9], 4], 1],
      [[[1, 4, 9], 5], 2],
      [[[1], 2], -1],
      [[[7, 8], 3], 0],
    ],
    weak: [[[[4], 4], 0]],
    green: [[[[9], 2], 0]],
    hidden: [
      [[[3, 3], 3], 0],
      [[[2, 5], 3], 1],
      [[[1, 1], 4], -1],
    ],
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
    strong: [
      [["a", "b"], "a/b"],
      [["docs", "x"], "docs/x"],
    ],
    weak: [[["a", "b"], "a/b"]],
    green: [],
    hidden: [
      [["q", "r"], "q/r"],
      [["", "r"], "/r"],
    ],
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
    strong: [
      [["abc"], "ABC!"],
      [["Hi"], "HI!"],
    ],
    weak: [[["a"], "A!"]],
    green: [[["1"], "1!"]],
    hidden: [
      [["mixed Case"], "MIXED CASE!"],
      [[""], "!"],
    ],
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
    strong: [
      [[0], 100],
      [[1], 200],
      [[3], 800],
    ],
    weak: [[[1], 200]],
    green: [[[0], 100]],
    hidden: [
      [[2], 400],
      [[5], 3200],
    ],
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
    strong: [
      [[6], true],
      [[7], true],
      [[5], false],
      [[1], false],
    ],
    weak: [[[7], true]],
    green: [
      [[6], true],
      [[2], false],
    ],
    hidden: [
      [[6], true],
      [[7], true],
      [[3], false],
      [[5], false],
    ],
  },
];
