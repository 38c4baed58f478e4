-- Claims one side effect before it is done.
-- KEYS: 1 claim, 2 job lock of this worker, 3 index of the agent's claims (by when each was last written, in ms),
--       4 for a claim of one run: the agent's claim of the same key, where releases before scopes kept it
-- ARGV: 1 lock token, 2 message id, 3 now (RFC 3339), 4 claim id, 5 "1" to take over an uncertain claim,
--       6 key of this worker's lock (kept, so that a later claimant can see whether the holder lives), 7 run id,
--       8 scope that the author asks for: "run" or "agent"
-- Reply: {"lost"} | {"claimed"} | {"done", value} | {"busy"} | {"uncertain", holder's message id} | {"unscoped"}
if redis.call("GET", KEYS[2]) ~= ARGV[1] then return {"lost"} end
local state = redis.call("HGET", KEYS[1], "state")
if state == "done" then return {"done", redis.call("HGET", KEYS[1], "value")} end
if state == "claimed" then
  local holder = redis.call("HMGET", KEYS[1], "message_id", "lock", "token")
  local alive = redis.call("GET", holder[2]) == holder[3]
  if alive and holder[3] ~= ARGV[1] then return {"busy"} end
  if ARGV[5] ~= "1" then return {"uncertain", holder[1]} end
end
if not state and KEYS[4] then
  local before = redis.call("HMGET", KEYS[4], "run_id", "scope")
  if before[1] == ARGV[7] and before[2] ~= "agent" then return {"unscoped"} end
end
redis.call("HSET", KEYS[1], "state", "claimed", "message_id", ARGV[2], "at", ARGV[3], "claim_id", ARGV[4],
  "lock", ARGV[6], "token", ARGV[1], "run_id", ARGV[7], "scope", ARGV[8])
local time = redis.call("TIME")
redis.call("ZADD", KEYS[3], time[1] * 1000 + math.floor(time[2] / 1000), KEYS[1])
return {"claimed"}
