-- Records the result of one step of a handler with its account, fenced by the job's lock.
local recorded = redis.call("HGET", ledger, stepField)
if recorded then return { "before", recorded } end
if redis.call("GET", jobLock) ~= token then return { "lost" } end
local fields = { stepField, result, "digest", digest }
if account then fields[5], fields[6] = accountField, account end
redis.call("HSET", ledger, unpack(fields))
if promptKey then redis.call("SET", promptKey, promptText, "PX", promptLifeMs) end
return { "recorded" }
