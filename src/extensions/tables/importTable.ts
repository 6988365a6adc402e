import { readBytes } from "./Bytes.ts"
import { countIn, readCell } from "./Cells.ts"
import { notationOf } from "./Notation.ts"
import {
  findTable,
  type Grid,
  gridOf,
  isTooLarge,
  maxPasted,
  maxPastedCells,
  type Table,
  tooLongSentence
} from "./Layout.ts"
import type { readWorkbook } from "./Workbook.ts"
import { figure } from "../../text/Figures.ts"
import { recognize } from "./ColumnNames.ts"

/** A table that was pasted or read from a file, or a sentence that says why there is none and what to do. */
export type Imported = { readonly table: Table; readonly note?: string } | { readonly refusal: string }

const shorter = "leave out lines, or columns that are not used"

const isCount = (name: string) => {
  const found = recognize(name)
  return found !== undefined && found.column !== "name"
}

const imported = (grid: Grid): Imported => {
  const table = findTable(grid, isCount)
  if (table.rows.length === 0) {
    if (table.tooLong.length > 0) return { refusal: tooLongSentence(table.tooLong) }
    return { refusal: table.hasHeader ? "There are no rows below the names of the columns." : "There are no rows." }
  }
  return table.header.length === 1 && !isCount(table.header[0] ?? "")
    ? { refusal: "There is only one column: separate the cells by commas, semicolons, tabs or |." }
    : { table }
}

/** The number of counts that the columns of a sheet have: a workbook may have other sheets too. */
const namedCounts = (grid: Grid) =>
  new Set(
    findTable(grid, isCount)
      .header.filter((name) => isCount(name))
      .map((name) => recognize(name)?.column)
  ).size

/** Finds the table in a text. */
export const importText = (text: string): Imported => imported(gridOf(text))

/** Finds the table in a text that the service reads in one turn. */
export const importPasted = (text: string): Imported => {
  if (text.length > maxPasted) return { refusal: `It has more than ${figure(maxPasted)} characters: ${shorter}.` }
  const grid = gridOf(text)
  return isTooLarge(grid)
    ? { refusal: `It has more than ${figure(maxPastedCells)} cells: ${shorter}.` }
    : imported(grid)
}

/**
 * The cells of one pasted column, counts without what is written around them; undefined if the text is a table, whose
 * columns have names.
 */
export const columnOf = (text: string): ReadonlyArray<string> | undefined => {
  const found = importText(text)
  if ("table" in found && found.table.header.some((name) => isCount(name))) return undefined
  const cells = text.split("\n").map(readCell)
  const notation = notationOf(cells)
  return cells.map((cell) => {
    const count = countIn(cell, notation, notation)
    if (typeof count === "number") return String(count)
    return cell.kind === "empty" ? "" : cell.text
  })
}

/** The sheet with the most columns of counts, and notes about hidden rows and about others that have some. */
const bestSheet = ({ hasHiddenRows, sheets }: Awaited<ReturnType<typeof readWorkbook>>): Imported => {
  const ranked = sheets
    .map(({ grid, name }) => ({ grid, name, counts: namedCounts(grid) }))
    .toSorted((a, b) => b.counts - a.counts)
  const [best, next] = ranked
  const found = imported(best?.grid ?? [])
  const hidden = hasHiddenRows ? ["Hidden rows of the workbook are left out: show them in Excel to use them."] : []
  if ("refusal" in found) return { refusal: [found.refusal, ...hidden].join(" ") }
  const notes = [
    ...hidden,
    ...(best === undefined || next === undefined || next.counts < 2
      ? []
      : [`The sheet “${best.name}” is used: others, such as “${next.name}”, have tables too.`])
  ]
  return notes.length === 0 ? found : { ...found, note: notes.join(" ") }
}

const damaged =
  "This looks like an Excel workbook, but it cannot be opened: open it in Excel, save it as CSV UTF-8, and choose that file."

/** Finds the table in a file: text, or an Excel workbook, whose reader is loaded only then. Never rejects. */
export const importFile = async (bytes: Uint8Array): Promise<Imported> => {
  const content = readBytes(bytes)
  if ("refusal" in content) return content
  if ("text" in content) {
    const found = importText(content.text)
    return content.isUnicode || "refusal" in found
      ? found
      : { ...found, note: "The file is not UTF-8 and was read as Windows-1252: check the names." }
  }
  return import("./Workbook.ts")
    .then(({ readWorkbook }) => readWorkbook(content.workbook))
    .then(bestSheet, () => ({ refusal: damaged }))
}
