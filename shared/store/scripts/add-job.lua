-- Adds a job to a queue. Idempotent by job id.
addPlain(queueBase, jobId, data, jobOptions, nowMs, atHead)
