import { Predicate } from "effect"
import readXlsxFile from "read-excel-file/universal"
import type { Grid } from "./Layout.ts"

/** A cell as text; the library gives dates in UTC, of which the day is kept. */
const cellText = (value: unknown): string => {
  if (Predicate.isString(value)) return value
  if (Predicate.isNumber(value) || Predicate.isBoolean(value)) return String(value)
  return Predicate.isDate(value) ? value.toISOString().slice(0, 10) : ""
}

/** A sheet of a workbook. */
export interface Sheet {
  readonly name: string
  readonly grid: Grid
}

/** The sheets of an Excel workbook (.xlsx); rejects if it cannot be read. */
export const readWorkbook = async (workbook: Uint8Array): Promise<ReadonlyArray<Sheet>> => {
  const sheets = await readXlsxFile(new Uint8Array(workbook).buffer)
  return sheets.map(({ data, sheet }) => ({
    name: sheet,
    grid: data.map((cells, index) => ({ line: index + 1, cells: cells.map(cellText) }))
  }))
}
