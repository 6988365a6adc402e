import { assert, describe, it } from "@effect/vitest"
import { numberIn, readCell } from "../../../src/extensions/tables/Cells.ts"
import { notationOf } from "../../../src/extensions/tables/Notation.ts"
import { formatted, readNumber, splitUnit, writtenPlainly } from "../../../src/extensions/tables/readNumber.ts"
import { fields } from "../../../src/campaign/Fields.ts"
import { amountBounds, type NumberBounds, pastCountBounds, percentBounds } from "../../../src/campaign/NumberBounds.ts"

const read = (text: string, bounds: NumberBounds, unit?: "%" | "money"): string => {
  const reading = readNumber(text, bounds, "2.5", unit)
  return "value" in reading ? String(reading.value) : reading.fault
}

describe("a number that somebody typed", () => {
  it.each([
    ["5000", "5000"],
    ["5,000", "5000"],
    ["1,000.5", "1000.5"],
    [".5", "0.5"],
    ["1.000,5", "1000.5"],
    ["1.000.000", "1000000"],
    ["1.000.000,25", "1000000.25"],
    ["1 000,5", "1000.5"],
    ["1\u00a0000,5", "1000.5"],
    ["1\u202f000", "1000"],
    ["1'000.5", "1000.5"],
    ["1’000", "1000"],
    ["2500,50", "2500.5"],
    ["€2,500", "2500"],
    ["2.500,00 €", "2500"],
    ["2500 EUR", "2500"],
    ["₹1,50,000", "150000"],
    ["Rs. 600", "600"],
    ["CHF 1'000.50", "1000.5"],
    ["R$ 2.500,00", "2500"],
    ["50.000,00 zł", "50000"],
    ["NZ$500", "500"],
    ["1500 SEK", "1500"],
    ["600,-", "600"],
    ["1.200,- €", "can be read as 1.2 or as 1200; write 1200 without separators, or 1.2"],
    ["CHF 1'500.--", "1500"],
    ["−$600", "-600"],
    ["$5 USD", "5"],
    ["$5 €", "must be a number; write it like 2.5"],
    ["5%", "must be a number, not a percentage; write it like 2.5"],
    [" 600 ", "600"],
    ["5k", "5000"],
    ["2.5k", "2500"],
    ["1,5 K", "1500"],
    ["$2m", "2000000"],
    ["1,50,000", "150000"],
    ["12,34,567.5", "1234567.5"],
    ["+600", "600"],
    ["1,000,", "1000"],
    ["٦٠٠", "600"],
    // With the sign of a footnote, which is no digit.
    ["600¹", "600"],
    ["６００", "600"],
    // With marks that nobody sees.
    ["\u200e2500\u200b", "2500"],
    ["\ufeff2\u00ad500", "2500"]
  ])("reads the amount %s", (text, value) => {
    assert.strictEqual(read(text, amountBounds, "money"), value)
  })

  it.each([
    ["5%", "5"],
    ["2,5 %", "2.5"],
    ["2.5 percent", "2.5"],
    ["2.5pct", "2.5"],
    ["1/4", "25"],
    ["1 in 4", "25"],
    ["3 of 7,000", "0.0428571"],
    ["31 out of 1.240", "2.5"],
    ["1 von 3", "33.3333"],
    ["1 sur 5", "20"],
    ["1 de 8", "12.5"],
    ["1/0", "must be a number; write it like 2.5"],
    ["€5", "must be a number, not an amount of money; write it like 2.5"],
    ["2,5", "2.5"],
    // While it is typed.
    ["2,", "2"],
    ["2,%", "2"],
    ["2.", "2"],
    ["2.%", "2"],
    ["2.125", "2.125"],
    // Read as thousands it would exceed 100.
    ["2,125", "2.125"],
    ["0.5", "0.5"]
  ])("reads the rate %s", (text, value) => {
    assert.strictEqual(read(text, percentBounds, "%"), value)
  })

  it.each([
    ["5%", "must be a number, not a percentage; write it like 2.5"],
    ["$5", "must be a number, not an amount of money; write it like 2.5"],
    ["1/4", "must be a number, not a percentage; write it like 2.5"],
    ["5 €", "must be a number, not an amount of money; write it like 2.5"]
  ])("refuses %s for a count", (text, message) => {
    assert.strictEqual(read(text, pastCountBounds), message)
  })

  it.each([
    ["1.234", "1234"],
    ["5.000", "can be read as 5 or as 5000; write 5000 without separators, or 5"],
    // Out of bounds, they are read as they are.
    ["2.5", "2.5"],
    ["−5", "-5"],
    ["200m", "200000000"],
    ["1.2345k", "must be a number; write it like 2.5"]
  ])("does not guess the meaning of %s emails", (text, response) => {
    assert.strictEqual(read(text, fields.emails_sent.bounds), response)
  })

  it.each(["abc", "5e3", "5kk", "1.234k", "1,00,5", "1..5", "--5", "<b>5</b>", "0x10", "Infinity", "5 000 00"])(
    "says how to write %s",
    (text) => {
      assert.strictEqual(read(text, amountBounds), "must be a number; write it like 2.5")
    }
  )

  it("refuses a very long text", () => {
    assert.strictEqual(read(`0.${"1".repeat(59)}`, amountBounds), "must have at most 60 characters")
    assert.strictEqual(read(" ".repeat(100_000), amountBounds), "must have at most 60 characters")
  })

  it("takes what it suggests, and what it shows", () => {
    const reading = readNumber("1.234", amountBounds, "2.5")
    if ("value" in reading) assert.fail("1.234 may be 1234")
    assert.strictEqual(reading.fault, "can be read as 1.234 or as 1234; write 1234 without separators, or 1.2340")
    assert.deepStrictEqual(reading.suggestions.map(writtenPlainly), ["1234", "1.2340"])
    for (const text of ["1234", "1.2340", "1,234"]) {
      assert.deepStrictEqual(
        readNumber(formatted(text, amountBounds, ""), amountBounds, ""),
        readNumber(text, amountBounds, "")
      )
    }
  })

  it.each([
    ["5.000", "5000, 5"],
    // Without any meaning.
    ["abc", ""]
  ])("refuses %s, and suggests %s", (text, meant) => {
    const reading = readNumber(text, amountBounds, "600")
    assert.isTrue("fault" in reading)
    if ("fault" in reading) assert.strictEqual(reading.suggestions.join(", "), meant)
  })
})

describe("a text that is too long for a number", () => {
  it("is not searched for a unit", () => {
    for (const text of [`${"1,000.".repeat(11)}%`, `€${" ".repeat(60)}`]) {
      assert.deepStrictEqual(splitUnit(text), { number: text, unit: "" })
    }
  })
})

describe("a number in a cell", () => {
  const none = notationOf([])
  const shown = (text: string, others: ReadonlyArray<string> = []) => {
    const cell = readCell(text)
    const table = notationOf(others.map(readCell))
    return [cell.kind, numberIn(cell, none, table), ...(cell.currency === undefined ? [] : [cell.currency])].join(" ")
  }

  it.each([
    ["2.6%", "percentage 2.6"],
    ["26 ‰", "percentage 2.6"],
    ["-5%", "percentage -5"],
    ["2,125%", "percentage 2.125"],
    ["€2,500.50", "money 2500.5 EUR"],
    ["(US$ 40)", "money -40 USD"],
    ["600,-", "money 600"],
    ["1,240", "count 1240"],
    ["56 (4.5%)", "count 56"],
    ["2.75", "number 2.75"],
    ["CHF Shops", "text "]
  ])("is read from %s", (text, expected) => {
    assert.strictEqual(shown(text), expected)
  })

  it("is read in the notation that other cells prove", () => {
    assert.strictEqual(shown("€2.500"), "money 2.5 EUR")
    assert.strictEqual(shown("€2.500", ["2,5%"]), "money 2500 EUR")
    assert.strictEqual(shown("€2,500", ["2,5%"]), "money 2.5 EUR")
  })
})
