-- Records the result of one step of a handler, fenced by the job's lock.
local recorded = redis.call("HGET", ledger, stepField)
if recorded then return { "before", recorded } end
if redis.call("GET", jobLock) ~= token then return { "lost" } end
redis.call("HSET", ledger, stepField, result, "digest", digest)
return { "recorded" }
