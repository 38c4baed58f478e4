-- Notes a claim at its message while the claimant holds its job.
if redis.call("GET", jobLock) ~= token then return 0 end
redis.call("HSET", ledger, noteField, note, "digest", digest)
return 1
