/** A word, quoted for a shell if necessary. */
const quoted = (word: string): string =>
  /^[\w./:=@+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** The command line with these words, ready to paste. */
export const lineOf = (words: ReadonlyArray<string>): string => ["outreach-forecast", ...words].map(quoted).join(" ")

/** A sentence about an error, with the command to type instead. */
export const withLine = (sentence: string, words: ReadonlyArray<string>): string =>
  `${sentence}\n  Type: ${lineOf(words)}`
