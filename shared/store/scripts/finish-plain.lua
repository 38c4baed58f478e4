-- Part of other scripts: finishes a job and adds it to the completed ones.
-- `isHeld`: this script has checked the lock.

-- Returns nil on success, else BullMQ's code: -1 no such job, -2 its lock is gone, -3 it is not active, -6 another
-- worker holds it.
local function finishJob(lockToken, isHeld)
  local base, id = queueBase, finishedJobId
  local job = base .. id
  local holder = isHeld and lockToken or redis.call("GET", job .. ":lock")
  if holder ~= lockToken then
    if redis.call("EXISTS", job) == 0 then return -1 end
    return holder and -6 or -2
  end
  if redis.call("LREM", base .. "active", -1, id) == 0 then return -3 end
  redis.call("DEL", job .. ":lock")
  local completed = base .. "completed"
  redis.call("ZADD", completed, takenMs, id)
  redis.call("HSET", job, "finishedOn", takenMs, "returnvalue", "null", "atm", 1)
  if keptMs then
    local function forget(ids)
      for _, old in ipairs(ids) do redis.call("DEL", base .. old, base .. old .. ":logs") end
      if #ids > 0 then redis.call("ZREM", completed, unpack(ids)) end
    end
    local before = "(" .. (tonumber(takenMs) - keptMs)
    forget(redis.call("ZRANGEBYSCORE", completed, "-inf", before, "LIMIT", 0, 1000))
    local surplus = redis.call("ZCARD", completed) - tonumber(keptMax)
    if surplus > 0 then forget(redis.call("ZRANGE", completed, 0, math.min(surplus, 1000) - 1)) end
  end
end

-- Finishes a job and takes the next one. Returns as `takeNext`, or {"failed", BullMQ's code}.
local function finishAndTake(lockToken, isHeld)
  local code = finishJob(lockToken, isHeld)
  if code then return { "failed", code } end
  if not takesNext then return { "none", 0 } end
  return takeNext(lockToken)
end
