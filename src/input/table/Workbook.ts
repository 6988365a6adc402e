import { Predicate } from "effect"
import readXlsxFile from "read-excel-file/universal"
import type { Grid } from "./Layout.ts"

/** A cell as text; the library gives dates in UTC, of which the day is kept. */
const cellText = (value: unknown): string => {
  if (Predicate.isString(value)) return value
  if (Predicate.isNumber(value) || Predicate.isBoolean(value)) return String(value)
  return Predicate.isDate(value) ? value.toISOString().slice(0, 10) : ""
}

/** The rows of each sheet of an Excel workbook (.xlsx); rejects if it cannot be read. */
export const readWorkbook = async (workbook: Uint8Array): Promise<ReadonlyArray<Grid>> => {
  const sheets = await readXlsxFile(new Uint8Array(workbook).buffer)
  return sheets.map(({ data }) => data.map((cells, index) => ({ line: index + 1, cells: cells.map(cellText) })))
}
