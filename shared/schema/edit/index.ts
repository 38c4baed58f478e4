export { editJson, losesNumbers, replaceTextAt, textAt } from "../edit-json.ts";
