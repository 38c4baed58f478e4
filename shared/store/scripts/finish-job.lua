-- Ends a job that its worker is through with, keeps it among the finished ones, and takes the next.
-- KEYS: 1 base of the queue's keys
-- ARGV: 1 lock token, 2 now in ms, 3 lock life in ms, 4 base of the agent's ledger or "", 5 base of its cancelled marks,
--       6 job id, 7 "1" to take the next, 8 finished jobs kept at most, 9 their age in ms at most; "" to trim another time
-- Reply: -1 no such job, -2 its lock is gone, -3 it is not at work, -6 another worker holds it | as `takeNext`, or {"none", 0}
local base, id = KEYS[1], ARGV[6]
local job = base .. id
local holder = redis.call("GET", job .. ":lock")
if holder ~= ARGV[1] then
  if redis.call("EXISTS", job) == 0 then return -1 end
  return holder and -6 or -2
end
if redis.call("LREM", base .. "active", -1, id) == 0 then return -3 end
redis.call("DEL", job .. ":lock")
local completed = base .. "completed"
redis.call("ZADD", completed, ARGV[2], id)
redis.call("HSET", job, "finishedOn", ARGV[2], "returnvalue", "null", "atm", 1)
if ARGV[9] ~= "" then
  local function forget(ids)
    for _, old in ipairs(ids) do redis.call("DEL", base .. old, base .. old .. ":logs") end
    if #ids > 0 then redis.call("ZREM", completed, unpack(ids)) end
  end
  forget(redis.call("ZRANGEBYSCORE", completed, "-inf", "(" .. (tonumber(ARGV[2]) - tonumber(ARGV[9])), "LIMIT", 0, 1000))
  local surplus = redis.call("ZCARD", completed) - tonumber(ARGV[8])
  if surplus > 0 then forget(redis.call("ZRANGE", completed, 0, math.min(surplus, 1000) - 1)) end
end
if ARGV[7] == "1" then return takeNext(base, ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]) end
return { "none", 0 }
