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
import type { SeenWorkbook } from "./Workbook.ts"
import { figure } from "../../text/Figures.ts"
import { recognize } from "./ColumnNames.ts"

/** A table that was pasted or read from a file, or a sentence that says why there is none and what to do. */
export type Imported =
  | {
      readonly table: Table
      readonly note?: string
      /** The sheets of a workbook with several tables, by name: any of them can be read instead. */
      readonly sheets?: ReadonlyArray<string>
      /** The name of the sheet that was read. */
      readonly sheet?: string
    }
  | { readonly refusal: string }

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

/** Sentences about what a workbook hides or has no value for. */
const unseenNotes: ReadonlyArray<readonly [what: "hasHiddenRows" | "hasHiddenColumns" | "hasFormulas", note: string]> =
  [
    ["hasHiddenRows", "Hidden rows of the workbook are left out: show them in Excel to use them."],
    ["hasHiddenColumns", "Hidden columns of the workbook are left out: show them in Excel to use them."],
    [
      "hasFormulas",
      "Some formulas of the workbook have no values: open it in Excel and save it, so that it calculates them."
    ]
  ]

/** The number of rows of a table: fewer where it is a dashboard, or none. */
const rowsIn = (found: Imported) => ("table" in found ? found.table.rows.length : 0)

/** The chosen sheet, else that with the most columns of counts and then rows, with notes about what is hidden and others. */
const sheetOf = (workbook: SeenWorkbook, chosen: string | undefined): Imported => {
  const all = workbook.sheets.map(({ grid, name }) => ({ name, counts: namedCounts(grid), found: imported(grid) }))
  const ranked = all.toSorted((a, b) => b.counts - a.counts || rowsIn(b.found) - rowsIn(a.found))
  const best = all.find(({ name }) => name === chosen) ?? ranked[0]
  const said = unseenNotes.flatMap(([what, note]) => (workbook[what] ? [note] : []))
  const found = best?.found ?? { refusal: "There are no rows." }
  if (best === undefined || "refusal" in found) {
    return { refusal: ["refusal" in found ? found.refusal : "", ...said].join(" ") }
  }
  const sheets = all.flatMap(({ counts, found, name }) => ("table" in found && counts > 1 ? [name] : []))
  const other = ranked.find(({ name }) => name !== best.name && sheets.includes(name))
  if (other !== undefined && chosen === undefined) {
    said.push(`The sheet “${best.name}” is used: others, such as “${other.name}”, have tables too.`)
  }
  return {
    ...found,
    ...(other === undefined ? {} : { sheets, sheet: best.name }),
    ...(said.length === 0 ? {} : { note: said.join(" ") })
  }
}

const damaged =
  "This looks like an Excel workbook, but it cannot be opened: open it in Excel, save it as CSV UTF-8, and choose that file."

const tooLarge =
  "This workbook is too large: a sheet has cells beyond row 20,000 or column ZZ, or much else. Copy the table into a new workbook, and choose that file."

/**
 * Finds the table in a file: text, or a sheet of an Excel workbook, whose reader is loaded only then. Without a choice,
 * the sheet is the one with the most counts. Never rejects.
 */
export const importFile = async (bytes: Uint8Array, sheet?: string): Promise<Imported> => {
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
    .then(
      (workbook) => (workbook === undefined ? { refusal: tooLarge } : sheetOf(workbook, sheet)),
      () => ({ refusal: damaged })
    )
}
