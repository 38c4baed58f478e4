-- Calls jobs that wait for a group: so many at once as may work.
-- KEYS: 1 turns of the group, 2 jobs that wait for the group, 3 groups for which jobs wait
-- ARGV: 1 base of the ward queue's keys, 2 now in ms, 3 fingerprint, 4 "all" when a recipe is there, else turns at once where
--       the last repair gave no recipe, 5 called at once at most
-- Reply: {called, left}
local most = tonumber(ARGV[5])
if ARGV[4] ~= "all" then
  local alive, alone, rests = readTurns(KEYS[1], ARGV[1], ARGV[2], "")
  local turns = alone and 1 or tonumber(ARGV[4])
  most = rests and 0 or math.max(0, turns - alive)
end
local called = callWaiting(KEYS[2], ARGV[1], most)
local left = redis.call("ZCARD", KEYS[2])
if left == 0 then redis.call("SREM", KEYS[3], ARGV[3]) end
return { called, left }
