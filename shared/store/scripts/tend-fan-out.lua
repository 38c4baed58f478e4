-- Records observed states of branches that have not answered, and advances the fan-out.
if redis.call("EXISTS", fanOut) == 0 then return 0 end
redis.call("ZADD", fanOuts, lookAtMs, fanOutId)
for _, sight in ipairs(sights) do
  local field, seen = "b:" .. sight.branch, sight.state
  local before = redis.call("HGET", fanOut, field)
  -- Branches that have answered or failed meanwhile keep their state.
  if before ~= seen and (before == STARTED or before == PARKED) then
    redis.call("HSET", fanOut, field, seen)
    if before == STARTED then redis.call("HINCRBY", fanOut, "under_way", -1) end
    if seen == STARTED then redis.call("HINCRBY", fanOut, "under_way", 1) end
    if seen == FAILED then
      redis.call("HINCRBY", fanOut, "failed", 1)
      redis.call("HSET", fanOut, "x:" .. sight.branch, sight.failure or "")
    end
  end
end
return advance({ key = fanOut, held = held, index = fanOuts, id = fanOutId }, force, startsMax)
