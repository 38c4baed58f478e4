-- Takes the next jobs of a queue for a worker that has room for several.
-- KEYS: 1 meta, 2 wait, 3 active of the queue: where these are, its other keys are, also while its slot is moved
-- ARGV: 1 lock token of the first; the others', "/2" and so on is put behind it, 2 now in ms, 3 base of the queue's keys, 4 lock
--       life in ms, 5 base of the agent's ledger or "", 6 base of its cancelled marks, 7 how many at most
-- Reply: what `takeNext` says of each; of one that is no job only if it is the first
local taken = { takeNext(ARGV[3], ARGV[1], ARGV[2], ARGV[4], ARGV[5], ARGV[6]) }
for n = 2, tonumber(ARGV[7]) do
  if taken[n - 1][1] ~= "job" or taken[n - 1][7] == "0" then break end
  local next = takeNext(ARGV[3], ARGV[1] .. "/" .. n, ARGV[2], ARGV[4], ARGV[5], ARGV[6])
  if next[1] ~= "job" then break end
  taken[n] = next
end
return taken
