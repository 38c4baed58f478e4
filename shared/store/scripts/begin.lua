-- Opens one delivery of a message at its receiver: refuses a worker that lost its lock, replays a settled outcome,
-- and marks the message accepted.
-- KEYS: 1 ledger, 2 job lock, 3 cancelled mark of the run
-- ARGV: 1 lock token, 2 job id, 3 digest of the sealed bytes, 4 now (RFC 3339), 5 "1" to accept, 6 how often the job stalled,
--       7 "1" when its first delivery may have been begun without this script, as first deliveries are
-- Reply: {"lost"} | {"foreign"} other bytes, beside a message that is settled | {"replaced"} other bytes in the place of one
--        that is not | {"replay", outcome} | {"cancelled", fields} | {"go", fields, deaths}: the stalls of this
--        job before which it was being handled, and not only waited in its worker's hands
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
local deaths = 0
if ARGV[5] == "1" then
  local stalls = tonumber(ARGV[6])
  -- The numbers of stalls at which this job was begun: how many, and the last. What was given back is begun again at
  -- the same number and counts once; a job that was put back or stored anew starts again.
  local times, last, id = string.match(seen["handled"] or "", "^(%d+) (%d+) (.*)$")
  times, last = tonumber(times), tonumber(last)
  if id ~= ARGV[2] or last > stalls then
    times, last = 0, -1
    if ARGV[7] == "1" and stalls > 0 then times, last = 1, 0 end
  end
  deaths = times
  if last == stalls then deaths = times - 1 else times = times + 1 end
  redis.call("HSET", KEYS[1], "handled", times .. " " .. stalls .. " " .. ARGV[2])
  if not seen["accepted"] then redis.call("HSET", KEYS[1], "digest", ARGV[3], "accepted", ARGV[4]) end
end
return {"go", fields, deaths}
