// The team as it is shipped, in a folder without the others.
export { default } from "../../../../services/agents/documents/team.ts";
