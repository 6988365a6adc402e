/** A word as a shell takes it. */
const quoted = (word: string): string =>
  /^[\w./:=@+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** The line of the program with these words, to be typed as it is. */
export const lineOf = (words: ReadonlyArray<string>): string => ["outreach-forecast", ...words].map(quoted).join(" ")

/** A sentence that says what is wrong, and the line to type instead. */
export const withLine = (sentence: string, words: ReadonlyArray<string>): string =>
  `${sentence}\n  Type: ${lineOf(words)}`

/** Several things in one sentence: `a, b and c`. */
export const listed = (names: ReadonlyArray<string>, last = "and"): string =>
  names.length > 1 ? `${names.slice(0, -1).join(", ")} ${last} ${names.at(-1)}` : names.join()

/** A text without the name and the password of a URL in it. */
export const withoutPasswords = (text: string): string => text.replaceAll(/:\/\/\S*@/g, "://…@")
