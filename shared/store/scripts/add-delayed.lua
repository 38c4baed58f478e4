-- Adds a delayed job in BullMQ's form. Idempotent by job id. Uses Redis time, because a sender with a wrong clock
-- would delay the job by hours.
if redis.call("EXISTS", job) == 1 then return end
local now = redisNowMs()
-- BullMQ's score: the millisecond, and a sequence number within it.
local first = (now + delayMs) * SCORES_OF_ONE_MS
local last = first + SCORES_OF_ONE_MS - 1
local before = redis.call("ZREVRANGEBYSCORE", delayed, last, first, "WITHSCORES", "LIMIT", 0, 1)[2]
local score = before and math.min(tonumber(before) + 1, last) or first
-- The set first: if its key has another type, the script fails before a job is stored that nothing would take.
redis.call("ZADD", delayed, score, jobId)
redis.call("HSET", job, "name", "handoff", "data", data, "opts", options, "timestamp", now, "delay", delayMs,
  "priority", priority)
redis.call("ZADD", queueBase .. "marker", firstDueMs(queueBase), "1")
