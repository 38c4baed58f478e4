-- Writes down how a claimed side effect ended. Not fenced by the job's lock: the effect has happened, and a worker that
-- lost its lock meanwhile is the only one that knows. The claim id says whose effect it was.
-- A done claim has no life of its own: upkeep forgets it once its run is over.
-- KEYS: 1 claim, 2 index of the agent's claims   ARGV: 1 claim id, 2 "done" or "free", 3 value
if redis.call("HGET", KEYS[1], "claim_id") ~= ARGV[1] then return 0 end
if ARGV[2] == "free" then
  redis.call("DEL", KEYS[1])
  redis.call("ZREM", KEYS[2], KEYS[1])
else
  redis.call("HSET", KEYS[1], "state", "done", "value", ARGV[3])
  local time = redis.call("TIME")
  redis.call("ZADD", KEYS[2], time[1] * 1000 + math.floor(time[2] / 1000), KEYS[1])
end
return 1
