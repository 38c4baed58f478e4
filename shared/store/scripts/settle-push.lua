-- Ends the lease of a run whose push targets were served. A target that came in the meantime has made the run due at
-- once, and so it stays.
if tonumber(redis.call("ZSCORE", due, runId) or -1) ~= leasedMs then return 0 end
if dueMs < 0 then redis.call("ZREM", due, runId) else redis.call("ZADD", due, dueMs, runId) end
return 1
