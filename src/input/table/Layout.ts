import { visible } from "../visible.ts"
import { type Cell, readCell } from "./Cells.ts"
import { readRecords } from "./Records.ts"

/** A row below the header of a table. */
export interface TableRow {
  /** The number of its line in the text, or of its row in the sheet. */
  readonly line: number
  /** As many as the table has columns. */
  readonly cells: ReadonlyArray<Cell>
}

/** A table: the names of its columns, and its rows. */
export interface Table {
  /** Each column's name; of a header in two lines both, separated by a space. Empty if there is no header. */
  readonly header: ReadonlyArray<string>
  /** False if the first row is taken for data, as it names nothing. */
  readonly hasHeader: boolean
  readonly rows: ReadonlyArray<TableRow>
  /** True if the metrics were in rows: each row was a column. */
  readonly isTurned: boolean
}

/** Rows as they are in a text or a sheet. */
export type Grid = ReadonlyArray<{ readonly line: number; readonly cells: ReadonlyArray<string> }>

/** The first lines, in which a header is looked for. */
const searchedLines = 30

const rule = /^[\s|+:=_-]+$/

/** The rows of a text; of a table in Markdown or with drawn lines, without its lines. */
export const gridOf = (text: string): Grid => {
  const { records, separator } = readRecords(text)
  if (separator !== "|") return records
  const drawn = records.filter(
    ({ cells }) => cells.length > 1 && cells[0]?.trim() === "" && cells.at(-1)?.trim() === ""
  )
  const isDrawn = drawn.length > records.length / 2
  return records
    .filter(({ cells }) => !rule.test(cells.join("|")))
    .map(({ cells, line }) => ({
      line,
      cells: (isDrawn ? cells.slice(1, -1) : cells).map((cell) => cell.trim().replace(/^(\*\*|__|`)(.*)\1$/, "$2"))
    }))
}

const isNumeric = (text: string) => !["text", "empty", "yes_no", "address"].includes(readCell(text).kind)
const hasNumbers = (cells: ReadonlyArray<string>) => cells.some((cell) => isNumeric(cell))

const filled = (cells: ReadonlyArray<string>) => cells.filter((cell) => cell !== "").length

/** The columns of a grid as rows. */
const turned = (grid: Grid): Grid =>
  Array.from({ length: Math.max(0, ...grid.map(({ cells }) => cells.length)) }, (_, index) => ({
    line: index + 1,
    cells: grid.map(({ cells }) => cells[index] ?? "")
  }))

/** The names of a header in two lines: a group that spans several columns is named in its first one only. */
const joined = (above: ReadonlyArray<string>, below: ReadonlyArray<string>): ReadonlyArray<string> => {
  let group = ""
  return below.map((name, index) => {
    group = above[index] === undefined || above[index] === "" ? group : above[index]
    return [group, name].filter((each) => each !== "").join(" ")
  })
}

/**
 * Finds the table in a grid: title lines and empty ones before the header are skipped, a header may have two lines, and
 * a table with metrics in rows is turned. `isKnown` is true for the names of counts.
 */
export const findTable = (grid: Grid, isKnown: (name: string) => boolean): Table => {
  const rows = grid
    .map(({ cells, line }) => ({ line, cells: cells.map(visible) }))
    .filter(({ cells }) => filled(cells) > 0)
  const known = (cells: ReadonlyArray<string>) => new Set(cells.filter((cell) => isKnown(cell))).size
  const firsts = rows.slice(0, searchedLines)
  const best = firsts.reduce(
    (most, { cells }) => Math.max(most, hasNumbers(cells.filter((cell) => !isKnown(cell))) ? 0 : known(cells)),
    0
  )
  const ofFirstColumn = known(rows.map(({ cells }) => cells[0] ?? ""))
  if (ofFirstColumn > 1 && ofFirstColumn > best) {
    const start = rows.findIndex(({ cells }) => isKnown(cells[0] ?? ""))
    // The line above the metrics names the campaigns, unless it is a title.
    const from = start > 0 && filled(rows[start - 1]?.cells ?? []) > 1 ? start - 1 : start
    const metrics = rows.slice(from).map(({ cells, line }) => ({ line, cells }))
    const named = from < start ? metrics : [{ line: 0, cells: ["Campaign"] }, ...metrics]
    const [header, ...body] = turned(named)
    return shaped({ header: ["Campaign", ...(header?.cells.slice(1) ?? [])], hasHeader: true, isTurned: true }, body)
  }
  const widest = Math.max(0, ...rows.map(({ cells }) => filled(cells)))
  const isHeader = ({ cells }: Grid[number]) =>
    best > 0 ? known(cells) === best : filled(cells) > widest / 2 && !hasNumbers(cells)
  const place = firsts.findIndex(isHeader)
  const found = rows[place]
  if (found === undefined || (best === 0 && !hasNumbers(rows.slice(place + 1).flatMap(({ cells }) => cells)))) {
    return shaped({ header: [], hasHeader: false, isTurned: false }, rows)
  }
  const above = rows[place - 1]?.cells ?? []
  const below = rows[place + 1]?.cells ?? []
  const third = rows[place + 2]?.cells ?? []
  if (filled(above) > 1 && !hasNumbers(above)) {
    return shaped({ header: joined(above, found.cells), hasHeader: true, isTurned: false }, rows.slice(place + 1))
  }
  if (
    filled(below) > 1 &&
    !hasNumbers(below) &&
    below.every((cell) => readCell(cell).kind !== "empty" || cell === "") &&
    hasNumbers(third)
  ) {
    return shaped({ header: joined(found.cells, below), hasHeader: true, isTurned: false }, rows.slice(place + 2))
  }
  return shaped({ header: found.cells, hasHeader: true, isTurned: false }, rows.slice(place + 1))
}

/** A table whose rows all have the cells of its columns; a header that is repeated is no row. */
const shaped = (about: Omit<Table, "rows">, rows: Grid): Table => {
  const width = Math.max(about.header.length, ...rows.map(({ cells }) => cells.length), 0)
  const header = Array.from({ length: width }, (_, index) => about.header[index] ?? "")
  const isRepeated = (cells: ReadonlyArray<string>) =>
    about.hasHeader && cells.every((cell, index) => cell === (about.header[index] ?? ""))
  return {
    ...about,
    header,
    rows: rows
      .filter(({ cells }) => !isRepeated(cells))
      .map(({ cells, line }) => ({
        line,
        cells: header.map((_, index) => readCell(cells[index] ?? ""))
      }))
  }
}

/** Takes the header of a table for a row of data. */
export const withoutHeader = (table: Table): Table => {
  if (!table.hasHeader) return table
  const first = { line: Math.max(1, (table.rows[0]?.line ?? 2) - 1), cells: table.header.map(readCell) }
  return { ...table, header: table.header.map(() => ""), hasHeader: false, rows: [first, ...table.rows] }
}
