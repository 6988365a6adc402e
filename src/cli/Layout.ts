import { Effect, Terminal } from "effect"

/** The width of the terminal in columns; undefined if standard output is not a terminal. */
export const columns = Effect.gen(function* () {
  const terminal = yield* Terminal.Terminal
  const count = yield* terminal.columns
  return count === 0 ? 80 : Math.max(count, 40)
})

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
