import { Effect, Stdio, Terminal } from "effect"

/** How many columns there are to fill. Standard output that is not a terminal has none of its own. */
export const columns = Effect.gen(function* () {
  const terminal = yield* Terminal.Terminal
  const count = yield* terminal.columns
  return count === 0 ? 80 : Math.max(count, 40)
})

/** As `columns`, of standard error. What is not a terminal gets whole lines, for programs that look for a sentence. */
export const errorColumns = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  return (yield* stdio.stderrIsTerminal) ? yield* columns : Infinity
})

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|^\p{Emoji_Presentation}/u

const widthOfGrapheme = (text: string): number => (wide.test(text) ? 2 : 1)

/** How many columns of a terminal a text takes: East Asian characters and emoji take two. */
export const widthOf = (text: string): number =>
  [...graphemes.segment(text)].reduce((width, { segment }) => width + widthOfGrapheme(segment), 0)

/** The beginning of a text that fits into `width` columns; where something is cut off it ends with `…`. */
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

/** A number stays beside what it counts: `3.2 %`, `6 clients`. */
const words = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/(\d) (?=%|clients?\b|emails?\b)/g, "$1\u00a0")
    .split(" ")
    .map((word) => word.replaceAll("\u00a0", " "))

/** Breaks a text between words into lines of at most `width` columns: the first begins with `first`, others with `rest`. */
export const wrap = (
  text: string,
  width: number,
  first = "  ",
  rest = " ".repeat(first.length)
): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = first
  for (const word of words(text)) {
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

/** Wraps each line of a text, keeping its indentation; a line to type stays whole. */
export const wrapLines = (text: string, width: number): string =>
  text
    .split("\n")
    .flatMap((line) => {
      const [indentation = ""] = /^ */.exec(line) ?? []
      return line.startsWith("  Type: ") ? [line] : wrap(line.slice(indentation.length), width, indentation)
    })
    .join("\n")

/** A column of a table. */
export interface Column {
  readonly title: string
  readonly align: "left" | "right"
  readonly cells: ReadonlyArray<string>
  /** Where there is too little room, the column with the smallest number is left out first; others always stay. */
  readonly leaveOut?: number
  /** Text that is cut where there is too little room, to at least so many columns. */
  readonly shortest?: number
}

/** A last column that fills the room that is left: what it draws in a row, if it gets at least `least` columns. */
export interface Drawing {
  readonly title: string
  readonly least: number
  readonly draw: (row: number, width: number) => string
}

const gap = 2

const widest = ({ cells, title }: Column) => Math.max(...[title, ...cells].map(widthOf))

const pad = (text: string, width: number, align: Column["align"]) => {
  const space = " ".repeat(Math.max(width - widthOf(text), 0))
  return align === "left" ? text + space : space + text
}

/** Without the column that is left out first; undefined where none can be. */
const withLess = (columns: ReadonlyArray<Column>): ReadonlyArray<Column> | undefined => {
  const [first] = columns.filter(({ leaveOut }) => leaveOut !== undefined).toSorted((a, b) => order(a) - order(b))
  return first === undefined ? undefined : columns.filter((column) => column !== first)
}

const order = ({ leaveOut = Infinity }: Column) => leaveOut

/**
 * Lays out a table, indented by two: a line of titles, then the rows. Columns that do not fit into `width` are left out in
 * their order, then the drawing; text that may be cut is cut before that.
 */
export const grid = (columns: ReadonlyArray<Column>, width: number, drawing?: Drawing): ReadonlyArray<string> => {
  const widths = columns.map(widest)
  const room = width - widths.reduce((sum, each) => sum + each + gap, 0)
  const least = drawing === undefined ? 0 : drawing.least + gap
  const flexible = columns.findIndex(({ shortest }) => shortest !== undefined)
  const longest = widths[flexible] ?? 0
  const spare = flexible === -1 ? 0 : Math.max(longest - (columns[flexible]?.shortest ?? 0), 0)
  if (room + spare < least) {
    const fewer = withLess(columns)
    if (fewer !== undefined) return grid(fewer, width, drawing)
    if (drawing !== undefined) return grid(columns, width)
  }
  if (room < least && flexible !== -1) widths[flexible] = Math.max(longest + room - least, longest - spare)
  const line = (cells: ReadonlyArray<string>, drawn: string) =>
    [...cells.map((cell, i) => pad(shorten(cell, widths[i] ?? 0), widths[i] ?? 0, columns[i]?.align ?? "left")), drawn]
      .map((cell) => " ".repeat(gap) + cell)
      .join("")
      .trimEnd()
  const rows = columns[0]?.cells.length ?? 0
  return [
    line(
      columns.map(({ title }) => title),
      drawing?.title ?? ""
    ),
    ...Array.from({ length: rows }, (_, row) =>
      line(
        columns.map(({ cells }) => cells[row] ?? ""),
        drawing?.draw(row, room - gap) ?? ""
      )
    )
  ]
}
