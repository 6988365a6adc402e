/** A place that can be found: its title, its address, and what it is or belongs to. */
export type Entry = readonly [title: string, path: string, where: string]

/** The most places that are found. */
const most = 12

/** A text as it is compared: in lower case, with a space for each mark between words. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** The ranks, best first. */
const ranks = [0, 1, 2, 3] as const

/** The rank of a title among those that have all words: best if it is the query, then if it begins with it. */
const rankOf = (title: string, query: string): (typeof ranks)[number] => {
  if (title === query) return 0
  if (title.startsWith(query)) return 1
  return ` ${title}`.includes(` ${query}`) ? 2 : 3
}

/** The places that have every word of a query in their title or in what they belong to, best first. */
export const findEntries = (entries: ReadonlyArray<Entry>, text: string): ReadonlyArray<Entry> => {
  const query = plain(text)
  if (query === "") return []
  const words = query.split(" ")
  const found = entries.flatMap((entry) => {
    const title = plain(entry[0])
    const whole = `${title} ${plain(entry[2])}`
    return words.every((word) => whole.includes(word)) ? [{ entry, rank: rankOf(title, query) }] : []
  })
  return ranks.flatMap((each) => found.flatMap(({ entry, rank }) => (rank === each ? [entry] : []))).slice(0, most)
}
