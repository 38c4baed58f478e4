-- Writes down how a claimed side effect ended. Not fenced by the job's lock: the effect has happened, and a worker that
-- lost its lock meanwhile is the only one that knows. The claim id says whose effect it was.
-- KEYS: 1 claim   ARGV: 1 claim id, 2 "done" or "free", 3 value, 4 life in ms
if redis.call("HGET", KEYS[1], "claim_id") ~= ARGV[1] then return 0 end
if ARGV[2] == "free" then
  redis.call("DEL", KEYS[1])
else
  redis.call("HSET", KEYS[1], "state", "done", "value", ARGV[3])
  redis.call("PEXPIRE", KEYS[1], ARGV[4])
end
return 1
