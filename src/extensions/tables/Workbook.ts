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
export interface Sheet {
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
  const shown = format.replaceAll(/_.|\[\$-[^\]]*\]/g, "")
  const [, code, sign] = /\[\$([^\]-]+)|(\p{Sc})/u.exec(shown) ?? []
  return code ?? sign
}

/** The formats of money that a workbook need not describe; their currency depends on the machine. */
const ofMoney = ["5", "6", "7", "8", "42", "44"].map((id) => [id, "¤"] as const)

/** The content of the first element of a name. */
const contentOf = (name: string, xml: string): string =>
  new RegExp(`<((?:\\w+:)?)${name}\\b[^>]*>(.*?)</\\1${name}>`, "s").exec(xml)?.[2] ?? ""

/** The currencies of the styles of cells, by the place of the style; undefined where cells are not money. */
const currenciesOf = (styles: string): ReadonlyArray<string | undefined> => {
  const described = [...contentOf("numFmts", styles).matchAll(/<(?:\w+:)?numFmt\b([^>]*)>/g)].map(
    ([, attributes = ""]) =>
      [attribute("numFmtId", attributes) ?? "", currencyIn(attribute("formatCode", attributes) ?? "")] as const
  )
  const byFormat = new Map<string, string | undefined>([...ofMoney, ...described])
  return [...contentOf("cellXfs", styles).matchAll(/<(?:\w+:)?xf\b([^>]*)>/g)].map(([, attributes = ""]) =>
    byFormat.get(attribute("numFmtId", attributes) ?? "")
  )
}

const rows = /<((?:\w+:)?)row\b([^>]*[^/])>.*?<\/\1row>/gs
const cells = /<((?:\w+:)?)c\b([^>]*[^/])>(.*?)<\/\1c>/gs

/**
 * A workbook as one sees it, which the library does not tell: without hidden rows, such as those that a filter leaves
 * out, and with the currency of an amount in its cell.
 */
const asSeen = (workbook: Uint8Array) => {
  const files = unzipSync(workbook, { filter: ({ name }) => /\.(?:xml|rels)$/.test(name) })
  const styles = files["xl/styles.xml"]
  const currencies = styles === undefined ? [] : currenciesOf(strFromU8(styles))
  let hasHiddenRows = false
  for (const [name, bytes] of Object.entries(files)) {
    if (!/^xl\/worksheets\/[^/]+\.xml$/.test(name)) continue
    const seen = strFromU8(bytes)
      .replaceAll(rows, (row: string, _prefix: string, attributes: string) => {
        if (!/\bhidden="(?:1|true)"/.test(attributes)) return row
        hasHiddenRows ||= /<(?:\w+:)?(?:v|is)>/.test(row)
        return ""
      })
      .replaceAll(cells, (cell: string, prefix: string, attributes: string, content: string) => {
        const currency = currencies[Number(attribute("s", attributes) ?? 0)]
        if (currency === undefined || (attribute("t", attributes) ?? "n") !== "n") return cell
        const text = content.replace(/<((?:\w+:)?v)>/, `<$1>${currency.replaceAll("$", "$$$$")}`)
        return `<${prefix}c r="${attribute("r", attributes)}" t="str">${text}</${prefix}c>`
      })
    files[name] = strToU8(seen)
  }
  return { bytes: zipSync(files, { level: 0 }), hasHiddenRows }
}

/** The sheets of an Excel workbook (.xlsx), without hidden rows; rejects if it cannot be read. */
export const readWorkbook = async (
  workbook: Uint8Array
): Promise<{ readonly sheets: ReadonlyArray<Sheet>; readonly hasHiddenRows: boolean }> => {
  const { bytes, hasHiddenRows } = asSeen(workbook)
  const sheets = await readXlsxFile(new Uint8Array(bytes).buffer)
  return {
    hasHiddenRows,
    sheets: sheets.map(({ data, sheet }) => ({
      name: sheet,
      grid: data.map((cells, index) => ({ line: index + 1, cells: cells.map(cellText) }))
    }))
  }
}
