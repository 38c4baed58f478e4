-- Everything a surgeon asks before it begins with a case.
-- KEYS: 1 case, 2 version of all recipes
-- ARGV: 1 prefix of the ward's keys, 2 base of the ward queue's keys, 3 now in ms, 4 prefix of all keys where one Redis holds
--       every slot, or "", 5… fields of its head
-- Reply: {field, value… of the case, of its head alone while its group waits}, version of the recipes, "1" while the group waits for one that has a model asked,
--        "1" when the run is cancelled, "" when that has to be asked elsewhere
local known = redis.call("HMGET", KEYS[1], "fingerprint", "agent", "run_id", "job_id")
local alive, alone, rests = 0, true, false
if known[1] then
  alive, alone, rests = readTurns(ARGV[1] .. "turns:" .. known[1], ARGV[2], ARGV[3], known[4] or "")
end
local waits = (alone and alive > 0) or rests
local cancelled = ""
if ARGV[4] ~= "" and known[2] and known[3] then
  cancelled = tostring(redis.call("EXISTS", ARGV[4] .. ":{" .. known[2] .. "}/cancelled:" .. known[3]))
end
-- Who is to wait is not looked at any closer: its letter may be a megabyte.
local fields
if waits then
  fields = {}
  for i, value in ipairs(redis.call("HMGET", KEYS[1], unpack(ARGV, 5))) do
    if value then
      fields[#fields + 1] = ARGV[4 + i]
      fields[#fields + 1] = value
    end
  end
else fields = redis.call("HGETALL", KEYS[1]) end
return { fields, redis.call("GET", KEYS[2]) or "0", waits and "1" or "0", cancelled }
