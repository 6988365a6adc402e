import { Predicate } from "effect"
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate"
import readXlsxFile from "read-excel-file/universal"
import type { Grid } from "./Layout.ts"

/** A cell as text; the library gives dates in UTC, of which the day is kept. */
const cellText = (value: unknown): string => {
  if (Predicate.isString(value)) return value
  if (Predicate.isNumber(value) || Predicate.isBoolean(value)) return String(value)
  return Predicate.isDate(value) ? value.toISOString().slice(0, 10) : ""
}

/** A sheet of a workbook. */
interface Sheet {
  readonly name: string
  readonly grid: Grid
}

const attribute = (name: string, attributes: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1]

/**
 * The currency in a number format: `[$€-407] #,##0`, `"$"#,##0`. Neither a space as wide as one is, as in `#,##0\ _€`,
 * nor the sign before a language, as in `[$-409]mmmm`.
 */
const currencyIn = (format: string): string | undefined => {
  const shown = format.replaceAll(/_.|\[\$-[^[\]]*\]/g, "")
  const [, code, sign] = /\[\$([^\]-]+)|(\p{Sc})/u.exec(shown) ?? []
  return code ?? sign
}

/** The formats of money that a workbook need not describe; their currency depends on the machine. */
const ofMoney = ["5", "6", "7", "8", "42", "44"].map((id) => [id, "¤"] as const)

/** A tag that another one begins in, or that does not end: the library would look for its end with each next piece. */
const brokenTag = /<[\w/][^<>]*(?:<|$)/

/** The end tags of a name. */
const endOf = (name: string) => `</(?:\\w+:)?${name}>`

/** The content of the first element of a name. */
const contentOf = (name: string, xml: string): string => {
  const begin = new RegExp(`<(?:\\w+:)?${name}\\b[^<>]*>`).exec(xml)
  const after = begin === null ? "" : xml.slice(begin.index + begin[0].length)
  return after.slice(0, Math.max(0, after.search(new RegExp(endOf(name)))))
}

/** An element with attributes and content, as written and in parts. */
interface XmlElement {
  readonly written: string
  readonly prefix: string
  readonly attributes: string
  readonly content: string
}

/**
 * Replaces the elements of a name that have attributes and content. Each ends at the next end tag: a search
 * for the end of each start tag would take a time that grows with the square of those that are not closed.
 */
const replaceElements = (name: string, xml: string, replace: (element: XmlElement) => string): string => {
  const begin = new RegExp(`<((?:\\w+:)?)${name}\\b([^<>]*[^<>/])>`)
  const parts = xml.split(new RegExp(`(${endOf(name)})`))
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [part = "", end = ""] = parts.slice(index, index + 2)
    const found = begin.exec(part)
    if (found === null) continue
    const [tag, prefix = "", attributes = ""] = found
    const content = part.slice(found.index + tag.length)
    parts[index] = part.slice(0, found.index)
    parts[index + 1] = replace({ written: tag + content + end, prefix, attributes, content })
  }
  return parts.join("")
}

/** The currencies of the styles of cells, by the place of the style; undefined where cells are not money. */
const currenciesOf = (styles: string): ReadonlyArray<string | undefined> => {
  const described = [...contentOf("numFmts", styles).matchAll(/<(?:\w+:)?numFmt\b([^<>]*)>/g)].map(
    ([, attributes = ""]) =>
      [attribute("numFmtId", attributes) ?? "", currencyIn(attribute("formatCode", attributes) ?? "")] as const
  )
  const byFormat = new Map<string, string | undefined>([...ofMoney, ...described])
  return [...contentOf("cellXfs", styles).matchAll(/<(?:\w+:)?xf\b([^<>]*)>/g)].map(([, attributes = ""]) =>
    byFormat.get(attribute("numFmtId", attributes) ?? "")
  )
}

/** Parts of a workbook that nobody sees, or that have no value. */
interface Unseen {
  hasHiddenRows: boolean
  hasHiddenColumns: boolean
  hasFormulas: boolean
}

/** The letters of the columns of a sheet, by their numbers from 1. */
const lettersOf = (column: number): string => {
  const [rest, last] = [Math.floor((column - 1) / 26), (column - 1) % 26]
  return (rest === 0 ? "" : lettersOf(rest)) + String.fromCharCode(65 + last)
}

/** More columns than tables have: a range of hidden ones may go to the end of the sheet. */
const maxColumns = 500

/** The letters of hidden columns, also of those without a width. */
const hiddenColumns = (sheet: string): ReadonlySet<string> =>
  new Set(
    [...contentOf("cols", sheet).matchAll(/<(?:\w+:)?col\b([^<>]*)>/g)].flatMap(([, attributes = ""]) => {
      if (!isHidden(attributes) && attribute("width", attributes) !== "0") return []
      const [from, to] = ["min", "max"].map((name) => Number(attribute(name, attributes)))
      const last = Math.min(to ?? 0, maxColumns)
      return Array.from({ length: Math.max(0, last - (from ?? 1) + 1) }, (_, index) => lettersOf((from ?? 1) + index))
    })
  )

const isHidden = (attributes: string) => /\bhidden="(?:1|true)"/.test(attributes)
const hasValue = (xml: string) => /<(?:\w+:)?(?:v>[^<]|is>)/.test(xml)

/** The names of sheets that are hidden, as they are written in the workbook. */
const hiddenSheets = (workbook: string): ReadonlyArray<boolean> =>
  [...contentOf("sheets", workbook).matchAll(/<(?:\w+:)?sheet\b([^<>]*)>/g)].map(([, attributes = ""]) =>
    /hidden/i.test(attribute("state", attributes) ?? "")
  )

/** The most bytes of a workbook, inflated; its last row, and the most letters of its columns. */
const maxSize = 50_000_000
const maxRow = 20_000
const maxLetters = 2

/** True if a sheet has a row or a cell beyond those of tables: the library would make all that are before it. */
const isFarFromTable = (sheet: string): boolean =>
  sheet
    .matchAll(/<(?:\w+:)?(?:c|row)\b[^<>]*?\br="([A-Z]*)(\d+)"/g)
    .some(([, letters = "", row]) => letters.length > maxLetters || Number(row) > maxRow)

/**
 * A workbook as one sees it, which the library does not tell: without hidden rows and columns, such as those that a
 * filter leaves out, and with the currency of an amount in its cell; undefined if it is too large to be one of tables.
 */
const asSeen = (workbook: Uint8Array) => {
  let size = 0
  const files = unzipSync(workbook, {
    filter: ({ name, originalSize }) => {
      const isRead = /\.(?:xml|rels)$/.test(name) && size + originalSize <= maxSize
      size += originalSize
      return isRead
    }
  })
  if (size > maxSize) return undefined
  const styles = files["xl/styles.xml"]
  const currencies = styles === undefined ? [] : currenciesOf(strFromU8(styles))
  const unseen: Unseen = { hasHiddenRows: false, hasHiddenColumns: false, hasFormulas: false }
  for (const [name, bytes] of Object.entries(files)) {
    if (!/^xl\/worksheets\/[^/]+\.xml$/.test(name)) continue
    // Rows that only have a format, of which spreadsheets keep many.
    const sheet = strFromU8(bytes).replaceAll(/<(?:\w+:)?row\b[^<>]*\/>/g, "")
    if (brokenTag.test(sheet)) throw new SyntaxError(`${name} has a tag that is not closed`)
    if (isFarFromTable(sheet)) return undefined
    const hidden = hiddenColumns(sheet)
    const seenRows = replaceElements("row", sheet, ({ attributes, written }) => {
      if (!isHidden(attributes) && attribute("ht", attributes) !== "0") return written
      unseen.hasHiddenRows ||= hasValue(written)
      return ""
    })
    const seen = replaceElements("c", seenRows, ({ attributes, content, prefix, written }) => {
      const [column = ""] = /^[A-Z]+/.exec(attribute("r", attributes) ?? "") ?? []
      if (hidden.has(column)) {
        unseen.hasHiddenColumns ||= hasValue(content)
        return ""
      }
      unseen.hasFormulas ||= /<(?:\w+:)?f\b/.test(content) && !hasValue(content)
      const currency = currencies[Number(attribute("s", attributes) ?? 0)]
      if (currency === undefined || (attribute("t", attributes) ?? "n") !== "n") return written
      const text = content.replace(/<((?:\w+:)?v)>/, `<$1>${currency.replaceAll("$", "$$$$")}`)
      return `<${prefix}c r="${attribute("r", attributes)}" t="str">${text}</${prefix}c>`
    })
    files[name] = strToU8(seen)
  }
  const hidden = hiddenSheets(strFromU8(files["xl/workbook.xml"] ?? new Uint8Array()))
  return { bytes: zipSync(files, { level: 0 }), hidden, unseen }
}

/** A grid without columns that have nothing in any cell, as hidden ones have here. */
const withoutEmpty = (grid: Grid): Grid => {
  const filled = new Set(grid.flatMap(({ cells }) => cells.flatMap((text, index) => (text === "" ? [] : [index]))))
  return grid.map(({ cells, line }) => ({ line, cells: cells.filter((_, index) => filled.has(index)) }))
}

/** An Excel workbook as one sees it. */
export type SeenWorkbook = Readonly<Unseen> & { readonly sheets: ReadonlyArray<Sheet> }

/**
 * Reads the sheets of an Excel workbook (.xlsx) that one sees, without hidden rows and columns; undefined if one is too
 * large. Rejects if the workbook cannot be read.
 */
export const readWorkbook = async (workbook: Uint8Array): Promise<SeenWorkbook | undefined> => {
  const read = asSeen(workbook)
  if (read === undefined) return undefined
  const { bytes, hidden, unseen } = read
  const all = await readXlsxFile(new Uint8Array(bytes).buffer)
  const seen = all.filter((_, place) => hidden[place] !== true)
  return {
    ...unseen,
    sheets: (seen.length === 0 ? all : seen).map(({ data, sheet }) => {
      const grid = data.map((cells, index) => ({ line: index + 1, cells: cells.map(cellText) }))
      return { name: sheet, grid: unseen.hasHiddenColumns ? withoutEmpty(grid) : grid }
    })
  }
}
