-- Advances the read position in a run's steps by one (compare-and-set).
if redis.call("EXISTS", run) == 0 then return 0 end
if tonumber(redis.call("HGET", run, "steps_taken") or "0") ~= seen then return 0 end
redis.call("HSET", run, "steps_taken", seen + 1)
return 1
