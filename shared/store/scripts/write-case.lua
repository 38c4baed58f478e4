-- Writes one change of a case with its outbox entry, or nothing.
return caseRefusal() or writeCase()
