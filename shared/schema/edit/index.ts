export { editJson, replaceTextAt, textAt } from "../edit-json.ts";
