-- Takes the next job of a queue for a worker.
-- KEYS: 1 meta, 2 wait, 3 active of the queue: where these are, its other keys are, also while its slot is moved
-- ARGV: 1 lock token, 2 now in ms, 3 base of the queue's keys, 4 lock life in ms, 5 base of the agent's ledger or "",
--       6 base of its cancelled marks
-- Reply: as `takeNext`
return takeNext(ARGV[3], ARGV[1], ARGV[2], ARGV[4], ARGV[5], ARGV[6])
