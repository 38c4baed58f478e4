-- Removes expired runs from the lists, oldest first. The counts are all-time totals and stay.
local ids = redis.call("ZRANGEBYSCORE", index, "-inf", createdBeforeMs, "LIMIT", offset, limit)
local forgotten = 0
for _, id in ipairs(ids) do
  if redis.call("EXISTS", runBase .. id) == 0 then
    redis.call("ZREM", indexOfAll, id)
    redis.call("ZREM", index, id)
    forgotten = forgotten + 1
  end
end
return { #ids, forgotten }
