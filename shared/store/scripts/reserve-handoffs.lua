-- Reserves the handoffs of one message against the limit of its run. Idempotent by message: a repeat with more
-- handoffs adds the difference.
local made = redis.call("HGET", run, "n_handoffs")
if not made and redis.call("EXISTS", run) == 0 then return nil end
local mark = "e:" .. messageId .. "/handoffs"
local counted = tonumber(redis.call("HGET", messages, mark) or "0")
local more = math.max(0, handoffs - counted)
local before = tonumber(made or "0") or 0
if before + more > handoffsMax then return before end
if more > 0 then
  redis.call("HSET", messages, mark, counted + more)
  redis.call("HSET", run, "n_handoffs", before + more)
end
return nil
