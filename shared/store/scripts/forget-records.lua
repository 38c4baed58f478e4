-- Deletes the records of jobs that are gone, of those that were looked at longest ago.
local ids = redis.call("ZRANGE", records, 0, count - 1)
local forgotten = 0
for _, id in ipairs(ids) do
  if redis.call("EXISTS", prefix .. id) == 0 then
    redis.call("DEL", records .. ":" .. id)
    redis.call("ZREM", records, id)
    redis.call("ZREM", unfinished, id)
    forgotten = forgotten + 1
  else
    redis.call("ZADD", records, nowMs, id)
  end
end
return forgotten
