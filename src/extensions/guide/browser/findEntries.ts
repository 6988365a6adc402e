/** A place that can be found: its title, its address, and what it is or belongs to. */
export type Entry = readonly [title: string, path: string, where: string]

/** The most places that are found. */
const most = 12

/** A text as it is compared: in lower case, with a space for each mark between words. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim()

/** The rank of a title among those that have all words: lower is better. */
const rankOf = (title: string, query: string): number => {
  if (title === query) return 0
  if (title.startsWith(query)) return 1
  return ` ${title}`.includes(` ${query}`) ? 2 : 3
}

/** The places that have every word of a query in their title or in what they belong to, best first. */
export const findEntries = (entries: ReadonlyArray<Entry>, text: string): ReadonlyArray<Entry> => {
  const query = plain(text)
  if (query === "") return []
  const words = query.split(" ")
  return entries
    .map((entry) => ({ entry, title: plain(entry[0]), whole: plain(`${entry[0]} ${entry[2]}`) }))
    .filter(({ whole }) => words.every((word) => whole.includes(word)))
    .toSorted((a, b) => rankOf(a.title, query) - rankOf(b.title, query) || a.title.length - b.title.length)
    .slice(0, most)
    .map(({ entry }) => entry)
}
