export { FailedJobs } from "./failed-jobs.ts";
