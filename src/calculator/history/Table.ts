/** The delimiter of a line: a tab, which spreadsheets paste, or the candidate that occurs most often outside quotes. */
const delimiterOf = (line: string): string => {
  const unquoted = line.replaceAll(/"[^"]*"/g, "")
  if (unquoted.includes("\t")) return "\t"
  return unquoted.split(";").length > unquoted.split(",").length ? ";" : ","
}

const toLines = (text: string): string => text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n")

/** All cells of a text whose lines have a delimiter. */
const split = (lines: string, delimiter: string): ReadonlyArray<ReadonlyArray<string>> => {
  const cell = new RegExp(String.raw`("(?:[^"]|"")*"|[^${delimiter}\n]*)(${delimiter}|\n|$)`, "y")
  const rows: Array<Array<string>> = []
  let row: Array<string> = []
  while (cell.lastIndex <= lines.length) {
    const [, written = "", end = ""] = cell.exec(lines) ?? []
    const isQuoted = written.length > 1 && written.startsWith('"') && written.endsWith('"')
    row.push((isQuoted ? written.slice(1, -1).replaceAll('""', '"') : written).replaceAll(/\s+/g, " ").trim())
    if (end === delimiter) continue
    rows.push(row)
    row = []
    if (end === "") break
  }
  return rows
}

/** The cells copied from a spreadsheet, including empty rows, so that each keeps its place. */
export const splitCells = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  split(toLines(text).replace(/\n$/, ""), "\t")

/** The cells of a table that was pasted from a spreadsheet or read from a CSV file (RFC 4180); empty lines are left out. */
export const splitTable = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const lines = toLines(text)
  const delimiter = delimiterOf(lines.replace(/^\s*\n/, "").split("\n", 1)[0] ?? "")
  return split(lines, delimiter).filter((row) => row.some((cell) => cell !== ""))
}

/** The text of a table, which `splitTable` reads. */
export const joinTable = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows
    .map((cells) =>
      cells
        .map((cell) => (cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell.replaceAll(/\s+/g, " ")))
        .join("\t")
    )
    .join("\n")
