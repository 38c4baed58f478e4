-- Adds a job to a queue, unless it is there already.
addPlain(queueBase, jobId, data, jobOptions, nowMs, atHead)
