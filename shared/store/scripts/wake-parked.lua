-- Wakes parked jobs of a group, as many at once as may run.
local most = calledMax
if slotsAtOnce then
  local alive, alone, rests = readSlots(slots, nil)
  most = rests and 0 or math.max(0, (alone and 1 or slotsAtOnce) - alive)
end
local called = 0
while called < most do
  local id = redis.call("ZPOPMIN", waiting)[1]
  if not id then break end
  -- It may have become due meanwhile, or its case been handled.
  if redis.call("ZREM", queueBase .. "delayed", id) == 1 then
    redis.call("HSET", queueBase .. id, "delay", 0)
    redis.call("LPUSH", queueBase .. "wait", id)
    called = called + 1
  end
end
if called > 0 then redis.call("ZADD", queueBase .. "marker", 0, "0") end
local left = redis.call("ZCARD", waiting)
if left == 0 then redis.call("SREM", waitingGroups, fingerprint) end
return { called, left }
