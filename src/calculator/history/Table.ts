/** What a line is separated by: a tab, which spreadsheets paste, or what it has most of outside of quotes. */
const delimiterOf = (line: string): string => {
  const unquoted = line.replaceAll(/"[^"]*"/g, "")
  if (unquoted.includes("\t")) return "\t"
  return unquoted.split(";").length > unquoted.split(",").length ? ";" : ","
}

/** The cells of a table that was pasted from a spreadsheet or read from a CSV file (RFC 4180); lines of nothing are left out. */
export const splitTable = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const lines = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n")
  const delimiter = delimiterOf(lines.replace(/^\s*\n/, "").split("\n", 1)[0] ?? "")
  const cell = new RegExp(String.raw`("(?:[^"]|"")*"|[^${delimiter}\n]*)(${delimiter}|\n|$)`, "y")
  const rows: Array<Array<string>> = []
  let row: Array<string> = []
  while (cell.lastIndex <= lines.length) {
    const [, written = "", end = ""] = cell.exec(lines) ?? []
    const isQuoted = written.length > 1 && written.startsWith('"') && written.endsWith('"')
    row.push((isQuoted ? written.slice(1, -1).replaceAll('""', '"') : written).replaceAll(/\s+/g, " ").trim())
    if (end === delimiter) continue
    if (row.some((text) => text !== "")) rows.push(row)
    row = []
    if (end === "") break
  }
  return rows
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
