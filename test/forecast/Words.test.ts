import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import * as Words from "../../src/forecast/Words.ts"

const of = BigDecimal.fromStringUnsafe
const texts = (say: (value: BigDecimal.BigDecimal) => string, ...values: ReadonlyArray<string>) =>
  values.map((value) => say(of(value)))

describe("words of advice", () => {
  it("give counts with about three digits, and never show a positive count as 0", () => {
    assert.deepStrictEqual(
      texts(Words.countText, "0", "0.004", "0.005", "3.754", "9.994", "9.995", "37.54", "99.94", "99.99", "99.995"),
      ["0", "fewer than 0.01", "0.01", "3.75", "9.99", "10", "37.5", "99.9", "100", "100"]
    )
    assert.deepStrictEqual(texts(Words.countText, "375.4", "12345.6"), ["375", "12,346"])
    // Rounded from the four decimals in the response, 4.045.
    assert.deepStrictEqual(texts(Words.countText, "4.04496", "4.04494"), ["4.05", "4.04"])
  })

  it("use the plural for everything except 1", () => {
    assert.deepStrictEqual(texts(Words.clientsText, "0", "1", "1.001", "1.5", "2"), [
      "0 clients",
      "1 client",
      "1 client",
      "1.5 clients",
      "2 clients"
    ])
    assert.deepStrictEqual(texts(Words.emailsText, "1", "5000"), ["1 email", "5,000 emails"])
  })

  it("give amounts as they were typed, with two decimals or none", () => {
    assert.deepStrictEqual(
      texts(Words.typedText, "0", "160", "937.5", "0.05", "0.0012", "999.999", "9375.01", "1000000"),
      ["0", "160", "937.50", "0.05", "0.0012", "999.999", "9,375.01", "1,000,000"]
    )
  })

  it("give rates to up to four decimals, computed ones to two, and to more if these would be 0", () => {
    assert.deepStrictEqual(texts(Words.rateText, "5", "3.43", "0.12345", "0.0000123"), [
      "5%",
      "3.43%",
      "0.12%",
      "0.000012%"
    ])
  })

  it("list things with a conjunction before the last", () => {
    assert.deepStrictEqual(
      [[], ["a"], ["a", "b"], ["a", "b", "c"]].map((items) => Words.listed(items)),
      ["", "a", "a and b", "a, b and c"]
    )
    assert.strictEqual(Words.listed(["a", "b"], "or"), "a or b")
  })
})
