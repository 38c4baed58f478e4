export { officeTeam as default } from "../../office.ts";
