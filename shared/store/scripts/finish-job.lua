-- Ends a job that its worker is through with, and takes the next.
-- KEYS: 1 base of the queue's keys   ARGV: 1 lock token, then as `finishAndTake`   Reply: as `finishAndTake`
return finishAndTake(2, ARGV[1], false)
