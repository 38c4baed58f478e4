/** to come */
export async function tellStory(_root: string, outside: string, say: (line: string) => void): Promise<void> {
  say(outside);
}
