-- Opens one delivery of a message at its receiver: refuses a worker that lost its lock, replays a settled outcome,
-- and marks the message accepted.
-- KEYS: 1 ledger, 2 job lock, 3 cancelled mark of the run
-- ARGV: 1 lock token, 2 job id, 3 digest of the sealed bytes, 4 now (RFC 3339), 5 "1" to accept,
--       6 "1" when its first delivery may have been begun without this script, as first deliveries are
-- Reply: {"lost"} | {"foreign"} other bytes, beside a message that is settled | {"replaced"} other bytes in the place of one
--        that is not | {"replay", outcome} | {"cancelled", fields} | {"go", fields}
if redis.call("GET", KEYS[2]) ~= ARGV[1] then return {"lost"} end
local fields = redis.call("HGETALL", KEYS[1])
local seen = {}
for i = 1, #fields, 2 do seen[fields[i]] = fields[i + 1] end
if seen["digest"] and seen["digest"] ~= ARGV[3] then
  return { (seen["outcome"] or seen["d:" .. ARGV[2]]) and "foreign" or "replaced" }
end
if seen["outcome"] then return {"replay", seen["outcome"]} end
local delivered = seen["d:" .. ARGV[2]]
if delivered then return {"replay", delivered} end
if redis.call("EXISTS", KEYS[3]) == 1 then return {"cancelled", fields} end
if ARGV[5] == "1" then
  local before = redis.call("HINCRBY", KEYS[1], "begun", (ARGV[6] == "1" and not seen["begun"]) and 2 or 1) - 1
  if before > 0 and not seen["begun"] then
    fields[#fields + 1] = "begun"
    fields[#fields + 1] = tostring(before)
  end
  if not seen["accepted"] then redis.call("HSET", KEYS[1], "digest", ARGV[3], "accepted", ARGV[4]) end
end
return {"go", fields}
