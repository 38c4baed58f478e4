-- Part of other scripts: adds a job to a queue in BullMQ's form. Idempotent by job id.
local function addJob(job, addedMs)
  local base, id, delayMs = job.base, job.jobId, job.delayMs
  if redis.call("EXISTS", base .. id) == 1 then return end
  -- The list or set first: if its key has another type, the script fails before a job is stored that nothing would take.
  if delayMs > 0 then
    -- Redis time, because a sender with a wrong clock would delay the job by hours.
    addedMs = redisNowMs()
    -- BullMQ's score: the millisecond, and a sequence number within it.
    local first = (addedMs + delayMs) * SCORES_OF_ONE_MS
    local last = first + SCORES_OF_ONE_MS - 1
    local before = redis.call("ZREVRANGEBYSCORE", base .. "delayed", last, first, "WITHSCORES", "LIMIT", 0, 1)[2]
    redis.call("ZADD", base .. "delayed", before and math.min(tonumber(before) + 1, last) or first, id)
  elseif job.priority > 0 then
    -- BullMQ's score: the priority, and a counter for the order within it.
    local score = job.priority * 0x100000000 + redis.call("INCR", base .. "pc") % 0x100000000
    redis.call("ZADD", base .. "prioritized", score, id)
  else
    redis.call(job.atHead and "RPUSH" or "LPUSH", base .. "wait", id)
  end
  redis.call("HSET", base .. id, "name", "handoff", "data", job.data, "opts", job.options, "timestamp", addedMs,
    "delay", delayMs, "priority", job.priority)
  if delayMs > 0 then redis.call("ZADD", base .. "marker", firstDueMs(base), "1")
  else redis.call("ZADD", base .. "marker", 0, "0") end
end
