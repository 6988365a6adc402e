import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, BigDecimal, Schema } from "effect"
import * as Decimal from "../../src/forecast/Decimal.ts"

const of = BigDecimal.fromStringUnsafe

const positive = Arbitrary.map(
  Arbitrary.all([
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))),
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: -5, maximum: 30 })))
  ]),
  ([value, scale]) => BigDecimal.make(BigInt(value), scale)
)

describe("Decimal", () => {
  it("rounds half away from zero, once", () => {
    const cases = [
      ["2.35", 1, "2.4"],
      ["2.3499999999999999999999", 1, "2.3"],
      ["0.00005", 4, "0.0001"],
      ["0.00004999", 4, "0"],
      ["1e3", 2, "1,000"],
      ["999.995", 2, "1,000"]
    ] as const
    for (const [value, places, shown] of cases) {
      assert.strictEqual(Decimal.show(Decimal.round(of(value), places)), shown)
    }
  })

  it("shows numbers for readers", () => {
    assert.strictEqual(Decimal.showExact(of("1234567.8900")), "1,234,567.89")
    assert.strictEqual(Decimal.showExact(of("0.000001")), "0.000001")
    assert.strictEqual(Decimal.showExact(of("1e6")), "1,000,000")
    assert.strictEqual(Decimal.showExact(of("0")), "0")
  })

  it("groups thousands, and omits trailing zeros", () => {
    const shown = [
      [123, 0, "123"],
      [1000, 0, "1,000"],
      [1_234_567, 0, "1,234,567"],
      [5, 2, "0.05"],
      [50, 2, "0.5"],
      [100, 2, "1"],
      [100_050, 2, "1,000.5"],
      [100_000, 2, "1,000"],
      [12, 3, "0.012"],
      // No double has these digits.
      [9_007_199_254_740_993n, 0, "9,007,199,254,740,993"],
      [9_007_199_254_740_993n, 15, "9.007199254740993"]
    ] as const
    for (const [value, scale, text] of shown) assert.strictEqual(Decimal.show({ value, scale }), text)
  })

  it("subtracts and takes percentages without losing a digit, whatever their scales", () => {
    for (const [a, b, difference] of [
      ["5", "0.001", "4.999"],
      ["0.001", "5", "-4.999"],
      ["1e3", "1", "999"],
      ["1", "1e3", "-999"],
      ["2.50", "2.5", "0"]
    ] as const) {
      assert.isTrue(BigDecimal.equals(Decimal.toBigDecimal(Decimal.minus(of(a), of(b))), of(difference)), `${a} - ${b}`)
    }
    assert.isTrue(Decimal.compare(Decimal.percentOf(of("5000.5"), of("2.5")), of("125.0125")) === 0)
    assert.strictEqual(Decimal.pow10(129), 10n ** 129n)
  })

  it("reports whether anything was cut off", () => {
    assert.deepStrictEqual(Decimal.round(of("2.5"), 2), { value: 250, scale: 2, exact: true })
    assert.deepStrictEqual(Decimal.round(of("2.500"), 2), { value: 250, scale: 2, exact: true })
    assert.deepStrictEqual(Decimal.round(of("2.501"), 2), { value: 250, scale: 2, exact: false })
    assert.deepStrictEqual(Decimal.quotientUp(of("1"), of("4"), 2), { value: 25, scale: 2, exact: true })
    assert.deepStrictEqual(Decimal.quotientUp(of("1.001"), of("4"), 2), { value: 26, scale: 2, exact: false })
    assert.deepStrictEqual(Decimal.quotientUp(of("1.00001"), of("40"), 2), { value: 3, scale: 2, exact: false })
  })

  it("rounds down to the largest step that does not exceed the value", () => {
    for (const [text, value, exact] of [
      ["1.239", 123, false],
      ["1.231", 123, false],
      ["1.23", 123, true],
      ["1.2", 120, true],
      ["0.009", 0, false]
    ] as const) {
      assert.deepStrictEqual(Decimal.roundDown(of(text), 2), { value, scale: 2, exact }, text)
    }
  })

  it("shows two digits of a value that would round to 0, but of no other", () => {
    for (const [value, shown] of [
      ["0", "0"],
      ["0.00", "0"],
      ["0.00001234", "0.000012"],
      ["0.0000000999", "0.0000001"],
      ["0.00005", "0.0001"],
      ["0.00012345", "0.0001"]
    ] as const) {
      assert.strictEqual(Decimal.show(Decimal.roundVisibly(of(value), 4)), shown, value)
    }
  })

  it("returns the nearest double where a single division would not", () => {
    // 79,314,753,436,462,732 / 10 and 1 / 10^23: dividing doubles gives the one above.
    assert.strictEqual(Decimal.toDouble({ value: 79314753436462732n, scale: 1 }), 7931475343646273)
    assert.strictEqual(Decimal.toDouble({ value: 1, scale: 23 }), 1e-23)
  })

  it.prop("rounds a quotient to the nearest step", [positive, positive], ([a, b]) => {
    const { exact, value } = Decimal.quotient(a, b, 2)
    // |a/b - value/100| <= 1/200, multiplied out: |200a - 2·value·b| <= b
    const difference = BigDecimal.abs(
      BigDecimal.subtract(
        BigDecimal.multiply(a, of("200")),
        BigDecimal.multiply(b, BigDecimal.make(2n * BigInt(value), 0))
      )
    )
    assert.isTrue(BigDecimal.isLessThanOrEqualTo(difference, b))
    assert.strictEqual(exact, BigDecimal.isZero(difference))
  })

  it.prop("rounds up to the smallest step that is enough", [positive, positive], ([a, b]) => {
    const { value } = Decimal.quotientUp(a, b, 2)
    const steps = (count: bigint) => BigDecimal.multiply(b, BigDecimal.make(count, 2))
    assert.isTrue(BigDecimal.isGreaterThanOrEqualTo(steps(BigInt(value)), a))
    assert.isTrue(BigDecimal.isLessThan(steps(BigInt(value) - 1n), a))
  })

  it.prop("returns the double nearest to the rounded decimal", [positive], ([value]) => {
    const rounded = Decimal.round(value, 4)
    assert.strictEqual(Decimal.toDouble(rounded), Number(`${rounded.value}e-4`))
  })

  it.prop("multiplies, adds and subtracts as BigDecimal does", [positive, positive], ([a, b]) => {
    const exactly = (value: Decimal.Decimal) => BigDecimal.format(Decimal.toBigDecimal(value))
    assert.strictEqual(exactly(Decimal.times(a, b)), BigDecimal.format(BigDecimal.multiply(a, b)))
    assert.strictEqual(exactly(Decimal.plus(a, b)), BigDecimal.format(BigDecimal.sum(a, b)))
    assert.strictEqual(exactly(Decimal.minus(a, b)), BigDecimal.format(BigDecimal.subtract(a, b)))
  })

  it("has all digits beside the greatest safe integer", () => {
    const greatest = Decimal.whole(Number.MAX_SAFE_INTEGER)
    const twice = Decimal.plus(greatest, greatest)
    assert.strictEqual(twice.value, 18_014_398_509_481_982n)
    assert.strictEqual(Decimal.minus(twice, greatest).value, 9_007_199_254_740_991n)
    assert.strictEqual(Decimal.times(greatest, greatest).value, 81_129_638_414_606_663_681_390_495_662_081n)
    assert.isAbove(Decimal.compare(Decimal.plus(greatest, Decimal.whole(2)), Decimal.plus(greatest, Decimal.one)), 0)
  })

  it.prop("compares as BigDecimal does", [positive, positive], ([a, b]) => {
    assert.strictEqual(Decimal.compare(a, b) < 0, BigDecimal.isLessThan(a, b))
    assert.strictEqual(Decimal.compare(a, b), -Decimal.compare(b, a))
    assert.strictEqual(Decimal.compare(a, a), 0)
  })
})

describe("exact decimals", () => {
  it("become the nearest double, even if one division would not", () => {
    for (const [value, scale, double] of [
      [25n, 1, 2.5],
      [25n, -2, 2500],
      [9_007_199_254_740_991n, 0, 9_007_199_254_740_991],
      // Dividing doubles gives the one above, and 1.0000000000000001e-23.
      [79_314_753_436_462_732n, 1, 7_931_475_343_646_273],
      [1n, 23, 1e-23],
      [-79_314_753_436_462_732n, 1, -7_931_475_343_646_273],
      [-25n, 1, -2.5],
      // Multiplying the double gives the one below.
      [9_007_199_254_740_993n, -2, 900_719_925_474_099_300]
    ] as const) {
      assert.strictEqual(Decimal.toDouble(BigDecimal.make(value, scale)), double)
    }
  })

  it("have an exact complement to 1", () => {
    for (const [chance, rest] of [
      [BigDecimal.make(1n, 3), "0.999"],
      [BigDecimal.make(1n, 0), "0"],
      [BigDecimal.make(0n, 0), "1"],
      [BigDecimal.make(0n, -3), "1"]
    ] as const) {
      assert.isTrue(BigDecimal.equals(Decimal.toBigDecimal(Decimal.complement(chance)), of(rest)), rest)
    }
  })

  it("are rounded half away from zero, positive or negative, and never to -0", () => {
    assert.deepStrictEqual(
      ["2.345", "-2.345", "2.3449", "-2.3449", "-0.005", "-0.0049", "0"].map((text) =>
        Decimal.roundToDouble(of(text), 2)
      ),
      [2.35, -2.35, 2.34, -2.34, -0.01, 0, 0]
    )
    assert.deepStrictEqual(
      ["1", "-1", "-0.01", "0"].map((text) => Decimal.quotientToDouble(of(text), of("8"), 2)),
      [0.13, -0.13, 0, 0]
    )
  })
})
