-- Settles a redrive by what the queue shows: the job has left the failed set as marked, or has to be retried still, or
-- stays failed with what was written because BullMQ refuses it.
if redis.call("HGET", record, "state") ~= "sending" then
  redis.call("ZREM", unfinished, id)
  return "finished"
end
local marked = redis.call("HMGET", record, "score", "version")
local isAsMarked = redis.call("ZSCORE", failed, id) == marked[1]
local data = readForeign("HGET", job, "data")
if isRefused and isAsMarked then
  redis.call("HSET", record, "state", "edited")
  redis.call("ZREM", unfinished, id)
  return "finished"
end
if isAsMarked and data and redis.sha1hex(data) == marked[2] then
  local claimedMs = tonumber(redis.call("ZSCORE", unfinished, id) or "0")
  if claimedMs > claimedBeforeMs then return "claimed" end
  redis.call("ZADD", unfinished, nowMs, id)
  return "retry"
end
redis.call("HSET", record, "state", isAsMarked and "overtaken" or "sent")
redis.call("ZREM", unfinished, id)
return "finished"
