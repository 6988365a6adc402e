/** The content of a file: text and how it was encoded, an Excel workbook, or a sentence that says what to do instead. */
export type FileContent =
  | { readonly text: string; readonly isUnicode: boolean }
  | { readonly workbook: Uint8Array }
  | { readonly refusal: string }

const toCsv = "save it as CSV UTF-8, and choose that file"

const unpack = "This is a compressed file: unpack it, and choose the table in it."
const image = "This is an image: copy the cells themselves, or export the table as CSV or Excel."

/** The first characters of files that are not text, in Latin-1, and what to do with them. */
const signatures: ReadonlyArray<readonly [start: string, refusal: string]> = [
  [
    "\u00D0\u00CF\u0011\u00E0",
    `This is an old Excel file (.xls), or a workbook with a password: open it in Excel, ${toCsv}.`
  ],
  ["%PDF", "This is a PDF: export the table as CSV or Excel where the PDF was made."],
  ...["\u0089PNG", "\u00FF\u00D8\u00FF", "GIF8", "RIFF", "II*\0", "MM\0*", "BM"].map(
    (start) => [start, image] as const
  ),
  ...["\u001F\u008B", "7z\u00BC\u00AF", "Rar!", "BZh", "\u00FD7zXZ", "(\u00B5/\u00FD"].map(
    (start) => [start, unpack] as const
  ),
  ["{\\rtf", `This is a text document: copy the table into a spreadsheet, ${toCsv}.`],
  ...["PAR1", "SQLite format 3"].map((start) => [start, "This is a database file: export the table as CSV."] as const)
]

/** HTML, which some tools name .xls. */
const webPage = /^\s*<(?:!doctype|html|table|\?xml)/i

/** The kinds of zip files, by the names of the files in them. */
const archives: ReadonlyArray<readonly [name: RegExp, refusal: string]> = [
  [/application\/vnd\.oasis\.opendocument/, `This is an OpenDocument file (.ods): open it in LibreOffice, ${toCsv}.`],
  [/Index\/(?:Document|Tables|Metadata)|\.iwa/, "This is a Numbers file: in Numbers, choose Export To, CSV or Excel."],
  [/word\/|ppt\//, `This is a document, not a table: copy the table into a spreadsheet, ${toCsv}.`]
]

const isJsonText = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** JSON, or a line of JSON for each row. */
const isJson = (text: string) => {
  const [first = ""] = text.trimStart().split("\n", 1)
  return /^[[{]/.test(first) && (isJsonText(first) || isJsonText(text))
}

const decoded = (bytes: Uint8Array, encoding: string, isFatal: boolean) =>
  new TextDecoder(encoding, { fatal: isFatal }).decode(bytes)

/** Each byte as the character with its number: what decoders call Latin-1 is Windows-1252. */
const latin1 = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")

const textOf = (bytes: Uint8Array): FileContent => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return { text: decoded(bytes, "utf-16le", false), isUnicode: true }
  if (first === 0xfe && second === 0xff) return { text: decoded(bytes, "utf-16be", false), isUnicode: true }
  if (bytes.includes(0)) return { refusal: `This file is not text: open it in a spreadsheet, ${toCsv}.` }
  try {
    return { text: decoded(bytes, "utf-8", true), isUnicode: true }
  } catch {
    return { text: decoded(bytes, "windows-1252", false), isUnicode: false }
  }
}

/**
 * The content of a file: UTF-8 if it is valid, UTF-16 if it has a byte order mark, else Windows-1252, which older
 * versions of Excel write. Files that are not text are recognized by their first bytes.
 */
export const readBytes = (bytes: Uint8Array): FileContent => {
  const latin = latin1(bytes.subarray(0, 4096))
  const known = signatures.find(([start]) => latin.startsWith(start))
  // Text may begin with BM.
  if (known !== undefined && (known[0] !== "BM" || bytes.includes(0))) return { refusal: known[1] }
  if (latin.slice(4, 8) === "ftyp") return { refusal: image }
  if (webPage.test(latin)) {
    return { refusal: `This is a web page, even if its name ends with .xls: open it in Excel, ${toCsv}.` }
  }
  if (latin.startsWith("PK\u0003\u0004")) {
    const ends = latin + latin1(bytes.subarray(-65_536))
    const archive = archives.find(([name]) => name.test(ends))
    if (archive !== undefined) return { refusal: archive[1] }
    // The list of files at the end of a zip file: one without it is damaged.
    const isOther = ends.includes("PK\u0001\u0002") && !/xl\/|\[Content_Types\]/.test(ends)
    return isOther ? { refusal: unpack } : { workbook: bytes }
  }
  const content = textOf(bytes)
  return "text" in content && isJson(content.text)
    ? { refusal: "This is JSON: send it to the API as history, or export the table as CSV." }
    : content
}
