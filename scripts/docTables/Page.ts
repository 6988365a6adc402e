/** The rows of a table, of which the first is its head. */
export type Table = ReadonlyArray<ReadonlyArray<string>>

/** The tables of pages, by the name of the page. */
export type Tables = Readonly<Record<string, ReadonlyArray<Table>>>

export const code = (text: string): string => `\`${text}\``

/** A description with the names of fields as code. */
export const withCode = (description: string): string => description.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, code)

/** The text of a cell. */
const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ")

/** A Markdown table, with columns as wide as their widest cell. */
const textOf = (table: Table): string => {
  const rows = table.map((cells) => cells.map(cell))
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lineOf = (cells: ReadonlyArray<string>) =>
    `| ${cells.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ")} |`
  const [head = [], ...body] = rows
  return [lineOf(head), lineOf(widths.map((width) => "-".repeat(width))), ...body.map(lineOf)].join("\n")
}

/** A page with a table in the place of the one whose first column has the same title. */
export const withTable = (page: string, table: Table): string => {
  const title = table[0]?.[0] ?? ""
  const lines = page.split("\n")
  const start = lines.findIndex((line, index) => line.startsWith(`| ${title} `) && lines[index + 1]?.startsWith("| -"))
  if (start === -1) throw new Error(`There is no table whose first column is "${title}"`)
  const length = lines.slice(start).findIndex((line) => !line.startsWith("|"))
  return lines.toSpliced(start, length, textOf(table)).join("\n")
}

/** A rounded size of code: the one that the README has while it is near, so that small changes do not outdate it. */
export const sizeNear = (lines: number, before: string | undefined, step: number): string => {
  const known = Number(before?.replaceAll(",", ""))
  const isNear = known % step === 0 && Math.abs(lines - known) < step
  const size = isNear ? known : Math.round(lines / step) * step
  return size.toLocaleString("en-US")
}
