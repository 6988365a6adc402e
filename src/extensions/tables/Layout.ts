import { max, sum } from "d3-array"
import { isUnknown, visible } from "../../input/visible.ts"
import { type Cell, isAddress, isDate, readCell } from "./Cells.ts"
import { readRecords } from "./Records.ts"

/** A row below the header of a table. */
interface TableRow {
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
  /** The line of the header of another table below, which is left out. */
  readonly endsBefore?: number
  /** The rows that cannot be read, as they have cells beyond the last column: one was split at its comma. */
  readonly tooLong: ReadonlyArray<{ readonly line: number; readonly label: string }>
}

/** The fault of lines that have more cells than the header. */
export const tooLongSentence = (rows: Table["tooLong"]): string =>
  `${rows.length === 1 ? `Line ${rows[0]?.line} has` : `${rows.length} lines, such as line ${rows[0]?.line}, have`} more cells than the header: write numbers without separators, and put text with commas in quotes.`

/** Rows as they are in a text or a sheet. */
export type Grid = ReadonlyArray<{ readonly line: number; readonly cells: ReadonlyArray<string> }>

/** The most characters of a cell that are read: recognizing a name or number takes longer than its length grows. */
const maxCell = 250

/**
 * The most characters of a pasted table that the service reads in one turn: enough for 100 campaigns with names of 100
 * characters.
 */
export const maxPasted = 16_384

/** The most cells of such a table: enough for 100 campaigns in 15 columns, which take 10 ms. */
export const maxPastedCells = 1500

/** True if a table has more cells than the service reads in one turn. */
export const isTooLarge = (grid: Grid): boolean => sum(grid, ({ cells }) => cells.length) > maxPastedCells

/** The first lines, in which a header is looked for. */
const searchedLines = 30

const rule = /^[\s|+:=_-]+$/

/**
 * The rows of a text; of a table in Markdown or with drawn lines, without its lines. Where no line has a separator, the
 * cells are in quoted lines, or between columns of spaces, or after a colon.
 */
export const gridOf = (text: string): Grid => {
  const { records, separator } = readRecords(text)
  if (records.length > 1 && records.every(({ cells }) => cells.length === 1)) {
    const lines = records.map(({ cells }) => (cells[0] ?? "").trim())
    const inner = lines.join("\n")
    if (inner.length < text.length && lines.every((line) => /[,;\t|]/.test(line))) return gridOf(inner)
    for (const gap of [/\t| {2,}/, /: +/]) {
      const split = records.map(({ line }, index) => ({ line, cells: (lines[index] ?? "").split(gap) }))
      if (split.filter(({ cells }) => cells.length > 1).length > split.length / 2) return split
    }
  }
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
const hasData = (cells: ReadonlyArray<string>) => cells.some((cell) => isNumeric(cell) || isAddress(cell))

const filled = (cells: ReadonlyArray<string>) => cells.filter((cell) => cell !== "").length

/** The columns of a grid as rows. */
const turned = (grid: Grid): Grid =>
  Array.from({ length: max(grid, ({ cells }) => cells.length) ?? 0 }, (_, index) => ({
    line: index + 1,
    cells: grid.map(({ cells }) => cells[index] ?? "")
  }))

/** True if two lines have the same cells, regardless of empty ones at their ends. */
const isSameLine = (cells: ReadonlyArray<string>, others: ReadonlyArray<string>) =>
  cells.every((cell, index) => cell === (others[index] ?? ""))

/** The names of a header in two lines: a group that spans several columns is named in its first one only. */
const joined = (above: ReadonlyArray<string>, below: ReadonlyArray<string>): ReadonlyArray<string> => {
  let group = ""
  return below.map((name, index) => {
    group = above[index] === undefined || above[index] === "" ? group : above[index]
    return [group, name].filter((each) => each !== "").join(" ")
  })
}

/** True if a line may name groups of the columns below it, such as channels or years. */
const areGroups = (cells: ReadonlyArray<string>) =>
  filled(cells) > 1 && cells.every((cell) => !isNumeric(cell) || /^(?:19|20)\d{2}$/.test(cell) || isDate(cell))

const areDifferent = (names: ReadonlyArray<string>) => {
  const given = names.filter((name) => name !== "")
  return new Set(given).size === given.length
}

/** True if every cell of a line says how the column above it counts. */
const areUnits = (cells: ReadonlyArray<string>) =>
  cells.every((cell) =>
    /^[([]?(?:in )?(?:[#№%‰$€£]|n|no\.?|numbers?|counts?|abs(?:olute)?\.?|rates?|pct\.?|percent|share)?[)\]]?$/i.test(
      cell
    )
  )

/** The names of a header, and the first row below it. */
interface Header {
  readonly names: ReadonlyArray<string>
  readonly end: number
}

/**
 * Finds the table in a grid: title lines and empty ones before the header are skipped, a header may have two lines, and
 * a table with metrics in rows is turned. `isKnown` is true for the names of counts.
 */
export const findTable = (grid: Grid, isKnown: (name: string) => boolean): Table => {
  const rows = grid
    .map(({ cells, line }) => ({ line, cells: cells.map((cell) => visible(cell).slice(0, maxCell).toWellFormed()) }))
    .filter(({ cells }) => filled(cells) > 0)
  const cellsAt = (place: number) => rows[place]?.cells ?? []
  /** The number of different counts that a header names; none if it has numbers or addresses, as data have. */
  const known = (names: ReadonlyArray<string>) =>
    hasData(names.filter((name) => !isKnown(name))) ? 0 : new Set(names.filter((name) => isKnown(name))).size
  const firsts = rows.slice(0, searchedLines)
  const best = max(firsts, ({ cells }) => known(cells)) ?? 0
  const ofFirstColumn = new Set(rows.map(({ cells }) => cells[0] ?? "").filter((name) => isKnown(name))).size
  if (ofFirstColumn > 1 && ofFirstColumn > best) return turnedTable(rows, isKnown)

  const widest = max(rows, ({ cells }) => filled(cells)) ?? 0
  const isHeader = (cells: ReadonlyArray<string>) =>
    best > 0 ? known(cells) === best : filled(cells) > widest / 2 && !hasData(cells)
  const place = firsts.findIndex(({ cells }) => isHeader(cells))
  const isNamed = place >= 0 && (best > 0 || hasData(rows.slice(place + 1).flatMap(({ cells }) => cells)))
  if (!isNamed) return shaped({ header: [], hasHeader: false, isTurned: false }, rows)

  const found = cellsAt(place)
  const isPart = (cells: ReadonlyArray<string>) => filled(cells) > 1 && !hasNumbers(cells)
  const below = cellsAt(place + 1)
  const isSecondLine =
    isPart(below) && !below.some((cell) => cell !== "" && isUnknown(cell)) && hasNumbers(cellsAt(place + 2))
  const units = { names: joined(found, below), end: place + 2 }
  const above = cellsAt(place - 1)
  const grouped = { names: joined(above, found), end: place + 1 }
  // The same counts of several groups are told apart only by the line above.
  const areOfGroups = !areDifferent(found) && areGroups(above) && areDifferent(grouped.names)
  const [header] = (
    areOfGroups
      ? [grouped]
      : isSecondLine && areUnits(below)
        ? [units]
        : [{ names: found, end: place + 1 }, ...(isPart(above) ? [grouped] : []), ...(isSecondLine ? [units] : [])]
  ).toSorted(
    (a: Header, b: Header) => known(b.names) - known(a.names) || (below[0] === "" ? b.end - a.end : a.end - b.end)
  )
  const data = rows.slice(header?.end ?? 0)
  const heads = [found, header?.names ?? found]
  const isHeaderOfOther = (cells: ReadonlyArray<string>) =>
    !cells.some((cell) => /^\d/.test(cell)) && known(cells) > 1 && !heads.some((names) => isSameLine(cells, names))
  const end = best > 1 ? data.findIndex(({ cells }) => isHeaderOfOther(cells)) : -1
  const other = data[end]
  const about = { header: header?.names ?? found, hasHeader: true, isTurned: false }
  return other === undefined ? shaped(about, data) : shaped({ ...about, endsBefore: other.line }, data.slice(0, end))
}

/** A table whose rows are metrics: its columns become rows, named by the line above the first metric. */
const turnedTable = (rows: Grid, isKnown: (name: string) => boolean): Table => {
  const start = rows.findIndex(({ cells }) => isKnown(cells[0] ?? ""))
  // A title has one cell only.
  const isNamed = start > 0 && filled(rows[start - 1]?.cells ?? []) > 1
  const metrics = rows.slice(isNamed ? start - 1 : start)
  const [header, ...body] = turned(isNamed ? metrics : [{ line: 0, cells: ["Campaign"] }, ...metrics])
  return shaped({ header: ["Campaign", ...(header?.cells.slice(1) ?? [])], hasHeader: true, isTurned: true }, body)
}

/** A table whose rows all have the cells of its columns; a header that is repeated is no row. */
const shaped = (about: Omit<Table, "rows" | "tooLong">, all: Grid): Table => {
  const isTooLong = ({ cells }: Grid[number]) => about.hasHeader && filled(cells.slice(about.header.length)) > 0
  const rows = all.filter((row) => !isTooLong(row))
  const width = Math.max(about.header.length, max(rows, ({ cells }) => cells.length) ?? 0)
  const header = Array.from({ length: width }, (_, index) => about.header[index] ?? "")
  const isRepeated = (cells: ReadonlyArray<string>) => about.hasHeader && isSameLine(cells, about.header)
  return {
    ...about,
    header,
    tooLong: all.filter(isTooLong).map(({ cells, line }) => ({ line, label: cells.find((text) => text !== "") ?? "" })),
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
