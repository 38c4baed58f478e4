export { createProbe, PROBE } from "./probe.ts";
export type { Probed, ProbeRequest } from "./probe.ts";
