-- Adds a job that waits for its time, unless it is there already, in the engine's own form. The time is Redis': the
-- sender's clock may have jumped by hours, and the job would wait as long.
if redis.call("EXISTS", job) == 1 then return end
local now = redisNowMs()
-- The engine's score: the millisecond, and within it a place after those that are there.
local first = (now + delayMs) * SCORES_OF_ONE_MS
local last = first + SCORES_OF_ONE_MS - 1
local before = redis.call("ZREVRANGEBYSCORE", delayed, last, first, "WITHSCORES", "LIMIT", 0, 1)[2]
local score = before and math.min(tonumber(before) + 1, last) or first
-- The set first: were it no set, a job that is stored and waits nowhere would be taken for added.
redis.call("ZADD", delayed, score, jobId)
redis.call("HSET", job, "name", "handoff", "data", data, "opts", options, "timestamp", now, "delay", delayMs,
  "priority", priority)
redis.call("ZADD", queueBase .. "marker", firstDueMs(queueBase), "1")
