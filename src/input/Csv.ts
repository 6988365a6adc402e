/** The characters that start a formula in a spreadsheet, including their full-width forms. */
const formula = /^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/

/**
 * A cell of a CSV text. Numbers stay numbers; a text that a spreadsheet would take for a formula is prefixed with an
 * apostrophe, so that it is shown and never run.
 */
const csvCell = (value: string | number | null): string => {
  if (value === null) return ""
  if (typeof value === "number") return String(value)
  const text = formula.test(value) ? `'${value}` : value
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A record of a CSV text, with the end of its line. */
export const csvLine = (cells: ReadonlyArray<string | number | null>): string => `${cells.map(csvCell).join(",")}\r\n`
