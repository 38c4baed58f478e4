-- Part of other scripts: ends a job that its worker is through with, and keeps it among the finished ones.
-- `ageMs` is "" to trim them another time; `isHeld` says that the lock was looked at in this script.
-- Reply: nil when it is ended | -1 no such job | -2 its lock is gone | -3 it is not at work | -6 another worker holds it
local function finishJob(base, id, token, nowMs, keptMax, ageMs, isHeld)
  local job = base .. id
  local holder = isHeld and token or redis.call("GET", job .. ":lock")
  if holder ~= token then
    if redis.call("EXISTS", job) == 0 then return -1 end
    return holder and -6 or -2
  end
  if redis.call("LREM", base .. "active", -1, id) == 0 then return -3 end
  redis.call("DEL", job .. ":lock")
  local completed = base .. "completed"
  redis.call("ZADD", completed, nowMs, id)
  redis.call("HSET", job, "finishedOn", nowMs, "returnvalue", "null", "atm", 1)
  if ageMs ~= "" then
    local function forget(ids)
      for _, old in ipairs(ids) do redis.call("DEL", base .. old, base .. old .. ":logs") end
      if #ids > 0 then redis.call("ZREM", completed, unpack(ids)) end
    end
    local before = "(" .. (tonumber(nowMs) - tonumber(ageMs))
    forget(redis.call("ZRANGEBYSCORE", completed, "-inf", before, "LIMIT", 0, 1000))
    local surplus = redis.call("ZCARD", completed) - tonumber(keptMax)
    if surplus > 0 then forget(redis.call("ZRANGE", completed, 0, math.min(surplus, 1000) - 1)) end
  end
end

-- Ends a job and takes the next. From `at` on, ARGV holds: base of the queue's keys, job id, now in ms, finished jobs kept at
-- most, their age in ms at most or "", "1" to take the next, lock life in ms, base of the agent's ledger or "", base of its
-- cancelled marks.
-- Reply: a number as `finishJob` | as `takeNext`, or {"none", 0}
local function finishAndTake(at, token, isHeld)
  local failed = finishJob(ARGV[at], ARGV[at + 1], token, ARGV[at + 2], ARGV[at + 3], ARGV[at + 4], isHeld)
  if failed then return failed end
  if ARGV[at + 5] ~= "1" then return { "none", 0 } end
  return takeNext(ARGV[at], token, ARGV[at + 2], ARGV[at + 6], ARGV[at + 7], ARGV[at + 8])
end
