import { JsonPointer, Result } from "effect"
import { type FieldError, InvalidInput, maxErrors } from "../../input/InvalidInput.ts"
import { type Reading, readingsOf, type Sign } from "../tables/Notation.ts"
import { readRecords, type Separator, type TextRecord } from "../tables/Records.ts"
import { visible } from "../../input/visible.ts"
import { aliases } from "../../campaign/Assumptions.ts"
import { campaignFields, decodeCampaigns, type ReadCampaigns, pointerTo, wrongCount } from "./Campaigns.ts"
import { requiredNames } from "../../campaign/Fields.ts"
import { rateNames } from "../../campaign/Rates.ts"

const knownColumns = new Set(["name", ...Object.keys(campaignFields)])

/** The column for a pointer within a campaign. */
const columnOf = (pointer: string): string => JsonPointer.unescapeToken(pointer.split("/")[3] ?? "")

/** Columns whose cells are always text, even if they contain only digits. */
const texts: ReadonlySet<string> = new Set(["name", "spread"])

const isRate = (column: string) => rateNames.some((name) => name === column)

const isWhole = (column: string) => column === "emails_sent" || column === "emails_per_contact"

/** True if a number of a column may have this sign between its thousands; a comma between cells is no sign in them. */
const mayGroup = (sign: Sign, column: string, separator: Separator): boolean => {
  if (isRate(column)) return false
  return sign === "," ? separator !== "," : isWhole(column) || separator === ";"
}

/** The number that is written in digits alone; commas that do not separate cells are decimal. */
const bareNumber = (readings: ReadonlyArray<Reading>, separator: Separator): number | undefined =>
  readings.find(({ decimal, isBare }) => isBare && (decimal !== "," || separator !== ","))?.value

/**
 * The value of a cell: a number if it is one in digits alone, otherwise text, which is refused; so is what may be one
 * with its thousands separated.
 */
const valueOf = (column: string, cell: string, separator: Separator): unknown => {
  if (texts.has(column)) return cell.trim()
  const written = visible(cell)
  const readings = readingsOf(written, { hasExponents: true })
  const isUnclear = readings.some(({ grouping }) => grouping !== undefined && mayGroup(grouping, column, separator))
  return isUnclear ? written : (bareNumber(readings, separator) ?? written)
}

/** A named column of the header, and the field of its cells; an unknown column is an unknown field. */
interface Column {
  readonly name: string
  readonly position: number
  readonly field: string
}

const columnsOf = (header: ReadonlyArray<string>): ReadonlyArray<Column> =>
  header.flatMap((name, position) => (name === "" ? [] : [{ name, position, field: aliases.get(name) ?? name }]))

/** The campaign in a record; an empty cell is a missing field. */
const campaignOf = (columns: ReadonlyArray<Column>, cells: ReadonlyArray<string>, separator: Separator) => {
  const fields: Record<string, unknown> = {}
  for (const { field, position } of columns) {
    const cell = cells[position] ?? ""
    if (cell.trim() !== "") fields[field] = valueOf(field, cell, separator)
  }
  return fields
}

const shown = (column: string) => column.slice(0, 100)

/** Errors in the header: missing and duplicate columns, of which the first 50 are worded. */
const headerErrors = (columns: ReadonlyArray<Column>, line: number) => {
  const known = new Set<string>()
  const repeated = columns.filter(({ field }) => known.size === known.add(field).size)
  const errors: ReadonlyArray<FieldError> = [
    ...requiredNames
      .filter((name) => !known.has(name))
      .map((name) => ({
        pointer: `${pointerTo(0)}/${name}`,
        code: "required" as const,
        message: `is required, but the header has no such column (line ${line}, column ${name})`
      })),
    ...repeated.slice(0, maxErrors).map(({ field, name }) => ({
      pointer: `${pointerTo(0)}/${JsonPointer.escapeToken(shown(field))}`,
      code: "duplicate_field" as const,
      message: `is the same field as an earlier column; keep one of them (line ${line}, column ${shown(name)})`
    }))
  ]
  return { errors, more: Math.max(0, repeated.length - maxErrors) }
}

/** An error in the shape of a record. */
const recordError = ({ cells, fault, line }: TextRecord, header: ReadonlyArray<string>): string | undefined => {
  if (fault !== undefined) return `${fault} (line ${line})`
  const nameless = cells.findIndex((cell, position) => (header[position] ?? "") === "" && cell.trim() !== "")
  return nameless < 0
    ? undefined
    : `has a value in cell ${nameless + 1}, but the header has no name for that column (line ${line})`
}

/**
 * Reads campaigns from a CSV text with a header line. Columns have the names of the fields. Fails with InvalidInput,
 * which lists every error with its line and column, and with the pointer that the same campaign would have in JSON.
 */
export const readCampaignsCsv = (text: string): Result.Result<ReadCampaigns, InvalidInput> => {
  const whole = (message: string) =>
    Result.fail(new InvalidInput({ errors: [{ pointer: "", code: "invalid_format", message }] }))
  if (text.includes("\uFFFD")) return whole("is not UTF-8 text; save the spreadsheet as CSV UTF-8")
  const {
    records: [first, ...records],
    separator
  } = readRecords(text)
  if (first === undefined) return whole("is empty; send a header line and a line for each campaign")
  if (first.fault !== undefined) return whole(`${first.fault} (line ${first.line})`)
  const header = first.cells.map(visible)
  const columns = columnsOf(header)
  if (!columns.some(({ field }) => knownColumns.has(field))) {
    return whole("must start with a header line that names the fields, like name,emails_sent,reply_rate,…")
  }
  if (
    records.length === 0 &&
    columns.some(({ name }) => bareNumber(readingsOf(name, { hasExponents: true }), ",") !== undefined)
  ) {
    return whole("has no line breaks: curl removes them with -d; send the file with --data-binary @campaigns.csv")
  }
  const tooFewOrMany = wrongCount(records.length)
  if (tooFewOrMany !== undefined) return Result.fail(new InvalidInput({ errors: [tooFewOrMany] }))
  const { errors: ofHeader, more } = headerErrors(columns, first.line)
  const errors = [...ofHeader]
  const missing = new Set(errors.filter(({ code }) => code === "required").map(({ pointer }) => columnOf(pointer)))
  const campaigns: Array<Readonly<Record<string, unknown>>> = []
  const malformed = new Set<number>()
  const unknown = new Set<string>()
  for (const [index, record] of records.entries()) {
    const message = recordError(record, header)
    if (message !== undefined) {
      errors.push({ pointer: pointerTo(index), code: "invalid_format", message })
      malformed.add(index)
    }
    campaigns.push(campaignOf(columns, record.cells, separator))
  }
  const decoded = decodeCampaigns({
    campaigns,
    errors,
    more,
    placeOf: (index) => `the campaign on line ${records[index]?.line}`,
    describe: (error, index) => {
      const column = columnOf(error.pointer)
      const isOfHeader = error.code === "required" && missing.has(column)
      if (malformed.has(index) || isOfHeader || unknown.has(column)) return undefined
      // An unknown column is one error, not one per line.
      const isUnknown = error.code === "unknown_field"
      if (isUnknown) unknown.add(column)
      const line = isUnknown ? first.line : records[index]?.line
      const message =
        error.code === "wrong_type" ? "must be a number such as 2500 or 5.5, and nothing else" : error.message
      const place = column === "" ? `line ${line}` : `line ${line}, column ${shown(column)}`
      return { ...error, message: `${message} (${place})` }
    }
  })
  return Result.map(decoded, (campaigns) => ({ campaigns }))
}
