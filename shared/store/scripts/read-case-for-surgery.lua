-- Reads what a surgeon needs before it begins with a case.
local known = redis.call("HMGET", case, "fingerprint", "job_id", "run_id")
local alive, alone, rests = 0, true, false
if known[1] then alive, alone, rests = readSlots(wardBase .. "slots:" .. known[1], known[2] or nil) end
local waits = (alone and alive > 0) or rests
local isCancelled = known[3] and redis.call("EXISTS", cancelledBase .. known[3]) or 0
-- Skips the message of a case that must wait: it may be a megabyte.
local fields
if waits then
  fields = {}
  for i, value in ipairs(redis.call("HMGET", case, unpack(headFields))) do
    if value then
      fields[#fields + 1] = headFields[i]
      fields[#fields + 1] = value
    end
  end
else
  fields = redis.call("HGETALL", case)
end
return { fields, redis.call("GET", recipesVersion) or "0", waits and 1 or 0, isCancelled }
