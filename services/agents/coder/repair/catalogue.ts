import { changeCopies } from "./moves/copies.ts";
import { convertValues } from "./moves/conversions.ts";
import { changeStartingValues } from "./moves/defaults.ts";
import { exchangeNeighbours, returnValues } from "./moves/exchanges.ts";
import { guardAgainstNothing, throwOnBadInput } from "./moves/guards.ts";
import { loosenPatterns, swapMethods } from "./moves/methods.ts";
import { renameNearMisses, swapVariables } from "./moves/names.ts";
import { replaceLiterals, scaleLiterals, shiftByOne } from "./moves/numbers.ts";
import { swapOperators, turnConditions } from "./moves/operators.ts";
import { awaitPromises } from "./moves/promises.ts";
import type { Move } from "./repair.ts";

/** Every kind of repair. The order decides nothing. */
export const CATALOGUE: readonly Move[] = [
  swapOperators,
  turnConditions,
  shiftByOne,
  replaceLiterals,
  scaleLiterals,
  renameNearMisses,
  swapVariables,
  awaitPromises,
  guardAgainstNothing,
  throwOnBadInput,
  changeCopies,
  convertValues,
  swapMethods,
  loosenPatterns,
  exchangeNeighbours,
  returnValues,
  changeStartingValues,
];
