import { Effect, Terminal } from "effect"

/** The width of the terminal in columns; undefined if standard output is not a terminal. */
export const columns = Effect.gen(function* () {
  const terminal = yield* Terminal.Terminal
  const count = yield* terminal.columns
  return count === 0 ? 80 : Math.max(count, 40)
})

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|^\p{Emoji_Presentation}/u

const widthOfGrapheme = (text: string): number => (wide.test(text) ? 2 : 1)

/** The width of a text in columns of a terminal: East Asian characters and emoji take two. */
export const widthOf = (text: string): number =>
  [...graphemes.segment(text)].reduce((width, { segment }) => width + widthOfGrapheme(segment), 0)

/** A text shortened to `width` columns; if it is cut off, it ends with `…`. */
export const shorten = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text
  let result = ""
  let left = width - 1
  for (const { segment } of graphemes.segment(text)) {
    left -= widthOfGrapheme(segment)
    if (left < 0) break
    result += segment
  }
  return `${result}…`
}

/** Breaks a text into lines of at most `width` columns: the first begins with `first`, others below its end. */
export const wrap = (text: string, width: number, first: string): ReadonlyArray<string> => {
  const rest = " ".repeat(first.length)
  const lines: Array<string> = []
  let line = first
  for (const word of text.split(" ")) {
    const isEmpty = line === first || line === rest
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line)
      line = rest + word
    } else {
      line += isEmpty ? word : ` ${word}`
    }
  }
  return [...lines, line]
}
