import { Result } from "effect"
import { type CsvRecord, parseCsv } from "../input/Csv.ts"
import { type FieldError, InvalidInput } from "../input/InvalidInput.ts"
import { aliases } from "./Assumptions.ts"
import {
  campaignFields,
  decodeCampaigns,
  mostCampaigns,
  type ReadCampaigns,
  pointerTo,
  wrongCount
} from "./Campaigns.ts"
import { Evidence } from "./Evidence.ts"
import { requiredNames } from "./Fields.ts"

const plainColumns = new Set(["name", ...Object.keys(campaignFields).filter((name) => name !== "evidence")])
const evidenceColumn = new RegExp(`^(${Object.keys(Evidence.fields).join("|")})_(observed|out_of)$`)

/** The path of a column's cells in a campaign. An unknown column gets the path of an unknown field. */
const pathOf = (column: string): ReadonlyArray<string> => {
  const name = aliases.get(column) ?? column
  const [, rate, what] = evidenceColumn.exec(name) ?? []
  return rate === undefined || what === undefined ? [name] : ["evidence", rate, what]
}

/** The column for a pointer within a campaign. */
const columnOf = (pointer: string): string => {
  const [first = "", ...rest] = pointer.split("/").slice(3)
  return first === "evidence" && rest.length > 0 ? rest.join("_") : first
}

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** Columns whose cells are always text, even if they contain only digits. */
const texts: ReadonlySet<string> = new Set(["name", "spread"])

/** The value of a cell: a number if it is one, otherwise text. */
const valueOf = (column: string, cell: string): unknown => {
  const text = cell.trim()
  return !texts.has(column) && number.test(text) ? Number(text) : text
}

/** A named column of the header, and the path of its cells. */
interface Column {
  readonly name: string
  readonly position: number
  readonly path: ReadonlyArray<string>
}

const columnsOf = (header: ReadonlyArray<string>): ReadonlyArray<Column> =>
  header.flatMap((name, position) => (name === "" ? [] : [{ name, position, path: pathOf(name) }]))

/** The campaign in a record; an empty cell is a missing field. */
const campaignOf = (columns: ReadonlyArray<Column>, cells: ReadonlyArray<string>): unknown => {
  const fields: Record<string, unknown> = {}
  const evidence: Record<string, Record<string, unknown>> = {}
  for (const { path, position } of columns) {
    const cell = cells[position] ?? ""
    if (cell.trim() === "") continue
    const [first = "", rate, what] = path
    if (rate === undefined || what === undefined) fields[first] = valueOf(first, cell)
    else evidence[rate] = { ...evidence[rate], [what]: valueOf(what, cell) }
  }
  return Object.keys(evidence).length > 0 ? { evidence, ...fields } : fields
}

const shown = (column: string) => column.slice(0, 100)

/** Errors in the header: missing and duplicate columns. */
const headerErrors = (columns: ReadonlyArray<Column>, line: number): ReadonlyArray<FieldError> => {
  const paths = new Set<string>()
  const repeated = columns.filter(({ path }) => paths.size === paths.add(path.join("/")).size)
  return [
    ...requiredNames
      .filter((name) => !paths.has(name))
      .map((name) => ({
        pointer: `${pointerTo(0)}/${name}`,
        code: "required" as const,
        message: `is required, but the header has no such column (line ${line}, column ${name})`
      })),
    ...repeated.map(({ name, path }) => ({
      pointer: `${pointerTo(0)}/${shown(path.join("/"))}`,
      code: "duplicate_field" as const,
      message: `is the same field as an earlier column; keep one of them (line ${line}, column ${shown(name)})`
    }))
  ]
}

/** An error in the shape of a record. */
const recordError = ({ cells, line }: CsvRecord, header: ReadonlyArray<string>): string | undefined => {
  if (Result.isFailure(cells)) return `${cells.failure} (line ${line})`
  const nameless = cells.success.findIndex((cell, position) => (header[position] ?? "") === "" && cell.trim() !== "")
  return nameless < 0
    ? undefined
    : `has a value in cell ${nameless + 1}, but the header has no name for that column (line ${line})`
}

/**
 * Reads campaigns from a CSV text with a header line. Columns have the names of the fields; evidence is in
 * `reply_rate_observed`, `reply_rate_out_of` and so on. Fails with InvalidInput, which lists every error with its line and
 * column, and with the pointer that the same campaign would have in JSON.
 */
export const readCampaignsCsv = (text: string): Result.Result<ReadCampaigns, InvalidInput> => {
  const whole = (message: string) =>
    Result.fail(new InvalidInput({ errors: [{ pointer: "", code: "invalid_format", message }] }))
  if (text.includes("\uFFFD")) return whole("is not UTF-8 text; save the spreadsheet as CSV UTF-8")
  const [first, ...records] = parseCsv(text, mostCampaigns + 1)
  if (first === undefined) return whole("is empty; send a header line and a line for each campaign")
  if (Result.isFailure(first.cells)) return whole(`${first.cells.failure} (line ${first.line})`)
  const header = first.cells.success.map((cell) => cell.trim())
  const columns = columnsOf(header)
  if (!columns.some(({ path: [name = ""] }) => plainColumns.has(name))) {
    return whole("must start with a header line that names the fields, like name,emails_sent,reply_rate,…")
  }
  const tooFewOrMany = wrongCount(records.length)
  if (tooFewOrMany !== undefined) return Result.fail(tooFewOrMany)
  const errors = [...headerErrors(columns, first.line)]
  const missing = new Set(errors.filter(({ code }) => code === "required").map(({ pointer }) => columnOf(pointer)))
  const campaigns: Array<unknown> = []
  const malformed = new Set<number>()
  const unknown = new Set<string>()
  for (const [index, record] of records.entries()) {
    const message = recordError(record, header)
    if (message !== undefined) {
      errors.push({ pointer: pointerTo(index), code: "invalid_format", message })
      malformed.add(index)
    }
    campaigns.push(
      campaignOf(
        columns,
        Result.getOrElse(record.cells, () => [])
      )
    )
  }
  const decoded = decodeCampaigns({
    campaigns,
    errors,
    placeOf: (index) => `the campaign on line ${records[index]?.line}`,
    describe: (error, index) => {
      const column = columnOf(error.pointer)
      const isOfHeader = error.code === "required" && missing.has(column)
      if (malformed.has(index) || isOfHeader || unknown.has(column)) return undefined
      // An unknown column is one error, not one per line.
      const isUnknown = error.code === "unknown_field" || column === "evidence"
      if (isUnknown) unknown.add(column)
      const line = isUnknown ? first.line : records[index]?.line
      const message =
        column === "evidence"
          ? "is not a column; evidence is in columns such as reply_rate_observed and reply_rate_out_of"
          : error.code === "wrong_type"
            ? "must be a number such as 2500 or 5.5, and nothing else"
            : error.message
      return { ...error, message: `${message} (line ${line}, column ${shown(column)})` }
    }
  })
  return Result.map(decoded, (campaigns) => ({ campaigns }))
}
