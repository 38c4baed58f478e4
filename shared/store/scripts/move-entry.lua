-- Takes an entry out of the inbox, if it is there: for good if the case has it (`mark`), else to the end of another list.
if mark and redis.call("HGET", case, field) ~= mark then return 0 end
if not redis.call("LPOS", inbox, entry) then return 0 end
if not mark then redis.call("RPUSH", target, entry) end
redis.call("LREM", inbox, 1, entry)
if target ~= inbox then redis.call("LTRIM", target, -most, -1) end
return 1
