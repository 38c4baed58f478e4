export { problemOf } from "../send-request.ts";
