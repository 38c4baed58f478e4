/** The first letter of each word, in capitals. */
export function initials(name) {
  const words = name.split(" ");
  let letters = "";
  for (let index = 0; index < words.length - 1; index++) letters += words[index][0].toUpperCase();
  return letters;
}
