import { checkImports } from "./rules/imports.ts";
import { checkFocusedTests, checkMachinePaths, checkNotes, checkSuppressions } from "./rules/leftovers.ts";
import { checkLockfile } from "./rules/lockfile.ts";
import { checkEmptyWords, checkFileNames } from "./rules/names.ts";
import { checkCasts, checkReservedCalls } from "./rules/reserved-calls.ts";
import { checkRooms } from "./rules/rooms.ts";
import { checkFileSizes, checkLineLengths } from "./rules/sizes.ts";
import type { Rule } from "./source-file.ts";

/** Every rule. One that nobody can justify is deleted. */
export const RULES: readonly Rule[] = [
  checkFileSizes,
  checkLineLengths,
  checkFileNames,
  checkEmptyWords,
  checkNotes,
  checkFocusedTests,
  checkSuppressions,
  checkMachinePaths,
  checkReservedCalls,
  checkCasts,
  checkRooms,
  checkImports,
  checkLockfile,
];
