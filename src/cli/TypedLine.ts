/** A word as a shell takes it. */
const quoted = (word: string): string =>
  /^[\w./:=@+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** The line of the program with these words, to be typed as it is. */
export const lineOf = (words: ReadonlyArray<string>): string => ["outreach-forecast", ...words].map(quoted).join(" ")

/** A sentence that says what is wrong, and the line to type instead. */
export const withLine = (sentence: string, words: ReadonlyArray<string>): string =>
  `${sentence}\n  Type: ${lineOf(words)}`
