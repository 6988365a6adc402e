import { CsvError, parse } from "csv-parse/sync"
import { Predicate, Result } from "effect"
import { type Assumptions, decodeAssumptions } from "../forecast/Assumptions.ts"
import { type FieldError, InvalidInput } from "../input/InvalidInput.ts"
import { numberOrText } from "./CampaignInput.ts"

/** A campaign of a file, by its name if it has one. */
export interface NamedAssumptions extends Assumptions {
  readonly name?: string
}

interface Row {
  /** The line on which it begins; cells in quotes may have several. */
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

const problem = (message: string, line: number, column?: string): FieldError => ({
  pointer: "",
  code: "invalid_format",
  message: `${message} (line ${line}${column === undefined ? "" : `, column ${column.slice(0, 100)}`})`
})

/** What cells are separated by: whichever the header has. */
const delimiterOf = (text: string) => [";", "\t"].find((each) => /^[^\r\n,]*$/m.exec(text)?.[0].includes(each)) ?? ","

/** The rows of a CSV text (RFC 4180) that are not empty, the header first. */
const readRows = (text: string): Result.Result<ReadonlyArray<Row>, FieldError> =>
  Result.try({
    try: () => {
      const rows: Array<Row> = []
      let line = 1
      parse(text, {
        bom: true,
        delimiter: delimiterOf(text),
        record_delimiter: ["\r\n", "\n", "\r"],
        relax_column_count: true,
        on_record: (record: ReadonlyArray<string>, { lines }) => {
          const cells = record.map((cell) => cell.trim())
          if (cells.some((cell) => cell !== "")) rows.push({ line, cells })
          line = lines + 1
        }
      })
      return rows
    },
    catch: (error) =>
      error instanceof CsvError && Predicate.isNumber(error["lines"])
        ? problem(
            error.code === "CSV_QUOTE_NOT_CLOSED"
              ? "has a quote that is not closed"
              : "has a quote within a cell; put the cell in quotes, and write the quote twice",
            error["lines"]
          )
        : problem("is not CSV", 1)
  })

const headerErrors = ({ cells, line }: Row): ReadonlyArray<FieldError> => [
  ...["emails_sent", "reply_rate", "positive_reply_rate", "meeting_booking_rate", "close_rate"]
    .filter((name) => !cells.includes(name))
    .map((name) => problem(`has no column ${name}`, line)),
  ...cells
    .filter((name, at) => name !== "" && cells.indexOf(name) < at)
    .map((name) => problem("comes twice; keep one of them", line, name))
]

const readCampaign = (
  { cells, line }: Row,
  header: Row
): Result.Result<NamedAssumptions, ReadonlyArray<FieldError>> => {
  const extra = cells.findIndex((cell, at) => cell !== "" && (header.cells[at] ?? "") === "")
  if (extra !== -1) return Result.fail([problem(`has a cell ${extra + 1}, and the header no name for it`, line)])
  const { name, ...fields } = Object.fromEntries(
    header.cells.map((column, at) => [column, cells[at] ?? ""] as const).filter(([, cell]) => cell !== "")
  )
  const numbers = Object.entries(fields).map(([column, cell], at) => [column, numberOrText(cell, at)])
  return decodeAssumptions({ value: Object.fromEntries(numbers), duplicates: [] }).pipe(
    Result.map((assumptions) => ({ ...(name === undefined ? {} : { name }), ...assumptions })),
    Result.mapError(({ errors }) =>
      errors.map(({ code, message, pointer }) => {
        const wanted = code === "wrong_type" ? "must be a number such as 2500 or 5.5" : message
        return problem(wanted, code === "unknown_field" ? header.line : line, pointer.slice(1))
      })
    )
  )
}

const mostCampaigns = 1000

/**
 * Reads campaigns from a CSV text with a header line of the names of the fields, and `name`. Fails with InvalidInput, which
 * lists everything that is wrong, with its line and column at the end of each message.
 */
export const readCampaigns = (text: string): Result.Result<ReadonlyArray<NamedAssumptions>, InvalidInput> => {
  const fail = (errors: ReadonlyArray<FieldError>) => Result.fail(new InvalidInput({ errors: errors.slice(0, 50) }))
  const read = readRows(text)
  if (Result.isFailure(read)) return fail([read.failure])
  const [header, ...rows] = read.success
  if (header === undefined) return fail([problem("is empty; it takes a header line, and a line for each campaign", 1)])
  const errors = [...headerErrors(header)]
  if (errors.length > 0) return fail(errors)
  if (rows.length < 1 || rows.length > mostCampaigns) {
    return fail([problem(`must have 1 to 1,000 campaigns, not ${rows.length.toLocaleString("en")}`, header.line)])
  }
  const names = new Map<string, number>()
  const campaigns: Array<NamedAssumptions> = []
  for (const row of rows) {
    const campaign = readCampaign(row, header)
    if (Result.isFailure(campaign)) errors.push(...campaign.failure)
    else campaigns.push(campaign.success)
    const name = row.cells[header.cells.indexOf("name")] ?? ""
    const before = names.get(name)
    if (name !== "" && before !== undefined) {
      errors.push(problem(`is the name on line ${before} too; give each campaign its own name`, row.line, "name"))
    }
    names.set(name, row.line)
  }
  // A column that is not known is wrong once, not on every line.
  const [first, ...others] = [...new Map(errors.map((error) => [error.message, error])).values()]
  return first === undefined ? Result.succeed(campaigns) : fail([first, ...others])
}
