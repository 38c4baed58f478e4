export { default } from "../../team/survey.ts";
