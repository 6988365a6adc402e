import { assert, describe, it } from "@effect/vitest"
import { readBytes } from "../../../src/extensions/tables/Bytes.ts"

const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

describe("readBytes", () => {
  for (const [what, bytes, text] of [
    ["UTF-8", new TextEncoder().encode("Zürich,4\u00A0200"), "Zürich,4\u00A0200"],
    ["UTF-16 with a mark, the low byte first", latin("\u00FF\u00FEZ\0\u00FC\0"), "Zü"],
    ["UTF-16 with a mark, the high byte first", latin("\u00FE\u00FF\0Z\0\u00FC"), "Zü"],
    ["Windows-1252", latin("Z\u00FCrich \u0096 4\u00A0200"), "Zürich – 4\u00A0200"],
    ["text that begins like an image", latin("BMW,4200"), "BMW,4200"],
    ["nothing", latin(""), ""]
  ] as const) {
    it(`reads ${what}`, () => {
      const content = readBytes(bytes)
      assert.strictEqual("text" in content ? content.text : content, text)
    })
  }

  it("says which text is not Unicode, as its names may be wrong", () => {
    assert.deepStrictEqual(readBytes(latin("\u00FC")), { text: "ü", isUnicode: false })
    assert.deepStrictEqual(readBytes(latin("a")), { text: "a", isUnicode: true })
  })

  for (const [what, start, refusal] of [
    [
      "an .xls file",
      "\u00D0\u00CF\u0011\u00E0\u00A1\u00B1\u001A\u00E1",
      /old Excel file \(\.xls\), or a workbook with a password/
    ],
    ["an .ods file", "PK\u0003\u0004mimetypeapplication/vnd.oasis.opendocument.spreadsheet", /\.ods.*LibreOffice/],
    ["a .numbers file", "PK\u0003\u0004....Index/Document.iwa", /Numbers file.*Export To/],
    ["a .docx file", "PK\u0003\u0004....word/document.xml", /is a document/],
    ["a .zip file", "PK\u0003\u0004....campaigns.csv....PK\u0001\u0002....campaigns.csv", /compressed file/],
    ["a PDF", "%PDF-1.7", /is a PDF/],
    ["a PNG", "\u0089PNG\r\n\u001A\n", /is an image/],
    ["a JPEG", "\u00FF\u00D8\u00FF\u00E0", /is an image/],
    ["a HEIC photo", "\0\0\0\u0018ftypheic", /is an image/],
    ["a gzip file", "\u001F\u008B\u0008", /compressed file/],
    ["JSON", '\n[{"emails_sent": 1}]', /is JSON/],
    ["a web page that is named .xls", "\n<html><table>", /web page/],
    ["other bytes", "a\0b", /is not text/]
  ] as const) {
    it(`says what to do instead with ${what}`, () => {
      const content = readBytes(latin(start))
      assert.match("refusal" in content ? content.refusal : "", refusal)
    })
  }

  it("takes a zip file that is none of these for a workbook", () =>
    assert.property(readBytes(latin("PK\u0003\u0004....xl/workbook.xml")), "workbook"))
})
