-- Parks the job of a case until the group's slot is freed, if one is taken. Does not change the case.
local job = queueBase .. jobId
if redis.call("GET", job .. ":lock") ~= token then return "lost" end
local alive, _, rests = readSlots(slots, jobId)
if alive == 0 and not rests then return "free" end
if redis.call("LREM", queueBase .. "active", -1, jobId) == 0 then return "lost" end
redis.call("DEL", job .. ":lock")
redis.call("SREM", queueBase .. "stalled", jobId)
-- Many jobs may be due in the same millisecond here.
redis.call("ZADD", queueBase .. "delayed", (redisNowMs() + waitMs) * SCORES_OF_ONE_MS, jobId)
redis.call("HSET", job, "delay", waitMs)
redis.call("ZADD", queueBase .. "marker", firstDueMs(queueBase), "1")
redis.call("ZADD", waiting, "NX", nowMs, jobId)
redis.call("SADD", waitingGroups, fingerprint)
return "parked"
