-- Counts the handoffs of one message against what its run may make in all. Idempotent by message: a repeat that makes more counts
-- the difference.
-- KEYS: 1 run, 2 messages of the run   ARGV: 1 message id, 2 handoffs, 3 of the run at most
-- Reply: handoffs of the run so far | {these} when they would be too many | -1 nobody keeps the run's record
local made = redis.call("HGET", KEYS[1], "n_handoffs")
if not made and redis.call("EXISTS", KEYS[1]) == 0 then return -1 end
local mark = "e:" .. ARGV[1] .. "/handoffs"
local counted = tonumber(redis.call("HGET", KEYS[2], mark) or "0")
local more = math.max(0, tonumber(ARGV[2]) - counted)
local total = (tonumber(made or "0") or 0) + more
if total > tonumber(ARGV[3]) then return {total - more} end
if more > 0 then
  redis.call("HSET", KEYS[2], mark, counted + more)
  redis.call("HSET", KEYS[1], "n_handoffs", total)
end
return total
