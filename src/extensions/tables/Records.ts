/** A record of a text with a separator, with the number of its first line, from 1. */
export interface TextRecord {
  readonly line: number
  readonly cells: ReadonlyArray<string>
  /** The fault of its first cell that is not as RFC 4180 has it: the cell is read as written. */
  readonly fault?: string
}

/** The records of a text, and the separator of their cells. */
export interface Records {
  readonly records: ReadonlyArray<TextRecord>
  readonly separator: Separator
}

const separators = ["\t", ",", ";", "|"] as const
export type Separator = (typeof separators)[number]

const isSeparator = (text: string): text is Separator => separators.some((separator) => separator === text)

/** The line that Excel reads as the separator of a file: sep=; */
const separatorLine = /^"?sep=(.|\\t)"?[,;|\t]*(?:\n|$)/i

/** The lines that a separator is chosen by. */
const sampledLines = 40

/** The most common number of cells above 1, and the number of lines that have it. */
const regularity = (lines: ReadonlyArray<string>, separator: Separator): readonly [lines: number, cells: number] => {
  const byCells = new Map<number, number>()
  for (const line of lines) {
    const cells = line.split(separator).length
    if (cells > 1) byCells.set(cells, (byCells.get(cells) ?? 0) + 1)
  }
  return [...byCells].reduce<readonly [number, number]>(
    (best, [cells, count]) => (count > best[0] || (count === best[0] && cells > best[1]) ? [count, cells] : best),
    [0, 0]
  )
}

/** The separator that gives most lines the same number of cells; of equals, the one with more cells. */
const separatorOf = (text: string): Separator => {
  const lines = text
    .slice(0, 100_000)
    .replaceAll(/"(?:[^"]|"")*"/g, "")
    .split("\n")
    .filter((line) => /[^\s,;|"]/.test(line))
    .slice(0, sampledLines)
  // Between tabs or columns of spaces, the commas within numbers are no separators.
  const bare = lines.map((line) => (/\t| {3,}/.test(line) ? line.replaceAll(/(?<=\d),(?=\d)/g, "") : line))
  const [best] = separators
    .map((separator) => ({ separator, found: regularity(bare, separator) }))
    .toSorted((a, b) => b.found[0] - a.found[0] || b.found[1] - a.found[1])
  if (best !== undefined && best.found[0] > 0) return best.separator
  return lines.some((line) => line.includes(",")) ? "\t" : ","
}

const faults = {
  unclosed: "has a quote that is not closed",
  within: 'has a quote within a cell; put the cell in quotes, and write the quote twice, like "6"" ad"',
  afterwards: 'has text after a closing quote; write a quote within a cell twice, like "6"" ad"'
}

const faultOf = (cell: string): string | undefined => {
  if (!cell.includes('"')) return undefined
  if (!cell.trimStart().startsWith('"')) return faults.within
  return cell.trim().length > 1 && cell.trim().slice(1).includes('"') ? faults.afterwards : faults.unclosed
}

/** The records of a text: those without a character besides spaces, quotes and separators are left out. */
const split = (text: string, separator: Separator, firstLine: number): ReadonlyArray<TextRecord> => {
  const blank = "[ \\u00A0\\u200B\\u200E\\u200F\\uFEFF]*"
  const end = `[${separator}\\n]|$`
  const cell = new RegExp(String.raw`${blank}"([^"]*(?:""[^"]*)*)"${blank}(?=${end})|[^${separator}\n]*`, "y")
  const records: Array<TextRecord> = []
  let line = firstLine
  let start = line
  let cells: Array<string> = []
  let fault: string | undefined
  for (let at = 0; at <= text.length; at++) {
    cell.lastIndex = at
    const [written = "", quoted] = cell.exec(text) ?? []
    if (quoted === undefined) fault ??= faultOf(written)
    else line += quoted.split("\n").length - 1
    cells.push(quoted === undefined ? written : quoted.replaceAll('""', '"'))
    at += written.length
    if (at < text.length && text[at] !== "\n") continue
    if (cells.some((each) => /[^\s,;|"]/.test(each))) {
      records.push({ line: start, cells, ...(fault === undefined ? {} : { fault }) })
    }
    line++
    start = line
    cells = []
    fault = undefined
  }
  return records
}

/**
 * Reads the records of a text whose cells are separated by commas, semicolons, tabs or bars (RFC 4180 for all of them).
 * The separator is the one in a line like `sep=;`, or the one that gives the most lines the same number of cells. Lines
 * end in any way; a byte order mark, a sep= line and empty records are left out.
 */
export const readRecords = (text: string): Records => {
  const lines = text.replace(/^\uFEFF+/, "").replaceAll(/\r\n?/g, "\n")
  const [first = "", written = ""] = separatorLine.exec(lines) ?? []
  const body = lines.slice(first.length)
  const stated = written === "\\t" ? "\t" : written
  const separator = isSeparator(stated) ? stated : separatorOf(body)
  return { records: split(body, separator, first === "" ? 1 : 2), separator }
}
