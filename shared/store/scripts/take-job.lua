-- Takes the next jobs of a queue for a worker with capacity for several. A reply without a job only comes first. The
-- lock tokens of the others have the suffix "/2" and so on.
local taken = { takeNext(token) }
for n = 2, takenMax do
  local before = taken[n - 1]
  if before[1] ~= "job" or before[7] == 0 then break end
  local next = takeNext(token .. "/" .. n)
  if next[1] ~= "job" then break end
  taken[n] = next
end
return taken
