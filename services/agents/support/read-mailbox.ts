/** The bare address of a mailbox written as `a@b.example` or `Name <a@b.example>`, in lower case. */
export function readMailbox(mailbox: string): string {
  const bracketed = /<([^<>]+)>\s*$/.exec(mailbox)?.[1];
  return (bracketed ?? mailbox).trim().toLowerCase();
}
