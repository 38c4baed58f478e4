-- Puts the job of a lost message back into its queue. If its hash is gone, too, stores an empty one: the agent that
-- takes it recovers the bytes or opens a case. Leaves jobs alone that anything holds.
if redis.call("EXISTS", lock) == 1 or redis.call("HEXISTS", job, "finishedOn") == 1 then return 0 end
for _, list in ipairs({ wait, active, paused }) do
  if redis.call("LPOS", list, jobId) then return 0 end
end
for _, set in ipairs({ delayed, prioritized, failed }) do
  if redis.call("ZSCORE", set, jobId) then return 0 end
end
redis.call("LPUSH", wait, jobId)
if redis.call("EXISTS", job) == 0 then
  redis.call("HSET", job, "name", "handoff", "data", "{}", "opts", "{}", "timestamp", nowMs, "delay", 0, "priority", 0)
end
redis.call("ZADD", marker, 0, "0")
return 1
