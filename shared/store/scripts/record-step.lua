-- Records the result of one step of a handler, for the worker that still holds the job.
-- KEYS: 1 ledger, 2 job lock   ARGV: 1 lock token, 2 field "s:<step>", 3 result, 4 digest of the sealed bytes
-- Reply: {1} recorded | {0, result} recorded before | {-1} the lock is lost
local recorded = redis.call("HGET", KEYS[1], ARGV[2])
if recorded then return {0, recorded} end
if redis.call("GET", KEYS[2]) ~= ARGV[1] then return {-1} end
redis.call("HSET", KEYS[1], ARGV[2], ARGV[3], "digest", ARGV[4])
return {1}
