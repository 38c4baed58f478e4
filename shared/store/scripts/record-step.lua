-- Records the result of one step of a handler, for the worker that still holds the job.
local recorded = redis.call("HGET", ledger, stepField)
if recorded then return { "before", recorded } end
if redis.call("GET", jobLock) ~= token then return { "lost" } end
redis.call("HSET", ledger, stepField, result, "digest", digest)
return { "recorded" }
