export { constraintFields, findModelFault, findTermFaults } from "../define/task-terms.ts";
