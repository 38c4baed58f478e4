-- Begins one delivery of a message at its receiver: refuses a zombie worker, replays a settled outcome, and marks the
-- message as accepted.

-- Parses how many stalls happened during handling, the last stall number, and the job they belong to.
local function readHandled(text)
  local times, last, id = string.match(text or "", "^(%d+) (%d+) (.*)$")
  return tonumber(times), tonumber(last), id
end

if redis.call("GET", jobLock) ~= token then return { "lost" } end
local fields = redis.call("HGETALL", ledger)
local seen = {}
for i = 1, #fields, 2 do seen[fields[i]] = fields[i + 1] end
local settled = seen["outcome"] or seen["d:" .. jobId]
if seen["digest"] and seen["digest"] ~= digest then return { settled and "foreign" or "replaced" } end
if settled then return { "replay", settled } end
if redis.call("EXISTS", cancelledMark) == 1 then return { "cancelled", fields } end
local deaths = 0
if accepts then
  -- A job that was returned begins again at the same number and counts once; one that was put back or stored anew
  -- starts from zero.
  local times, last, id = readHandled(seen["handled"])
  if id ~= jobId or last > stalls then
    times, last = 0, -1
    if mayBeBegunBefore and stalls > 0 then times, last = 1, 0 end
  end
  deaths = times
  if last == stalls then deaths = times - 1 else times = times + 1 end
  redis.call("HSET", ledger, "handled", times .. " " .. stalls .. " " .. jobId)
  if not seen["accepted"] then redis.call("HSET", ledger, "digest", digest, "accepted", nowText) end
end
return { "go", fields, deaths }
