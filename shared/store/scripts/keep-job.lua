-- Copies a job that is about to be removed, with its data's own bytes. The oldest copies over the limit are deleted. A
-- job has one copy, also when its process died before it was removed and it ran again; an id that is used again has a
-- copy for each time.
local fields = redis.call("HMGET", job, "name", "data", "opts", "parent", "timestamp")
if not fields[1] then return 0 end
local uid = (fields[5] or "") .. "-" .. id
local record = kept .. ":" .. uid
redis.call(
  "HSET", record, "id", id, "name", fields[1], "data", fields[2] or "{}", "opts", fields[3] or "{}", "parent",
  fields[4] or "", "timestamp", fields[5] or "", "reason", reason, "stacktrace", stacktrace, "attempts", attempts,
  "state", "kept"
)
redis.call("ZADD", kept, nowMs, uid)
local over = redis.call("ZCARD", kept) - keptMax
if over > 0 then
  for _, old in ipairs(redis.call("ZRANGE", kept, 0, math.min(over, 100) - 1)) do
    redis.call("DEL", kept .. ":" .. old)
    redis.call("ZREM", kept, old)
  end
end
return 1
