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

  it.prop("rounds a quotient to the nearest step", [positive, positive], ([a, b]) => {
    const { exact, units } = Decimal.quotient(a, b, 2)
    // |a/b - units/100| <= 1/200, multiplied out: |200a - 2·units·b| <= b
    const difference = BigDecimal.abs(
      BigDecimal.subtract(BigDecimal.multiply(a, of("200")), BigDecimal.multiply(b, BigDecimal.make(2n * units, 0)))
    )
    assert.isTrue(BigDecimal.isLessThanOrEqualTo(difference, b))
    assert.strictEqual(exact, BigDecimal.isZero(difference))
  })

  it.prop("rounds up to the smallest step that is enough", [positive, positive], ([a, b]) => {
    const { units } = Decimal.quotientUp(a, b, 2)
    const steps = (count: bigint) => BigDecimal.multiply(b, BigDecimal.make(count, 2))
    assert.isTrue(BigDecimal.isGreaterThanOrEqualTo(steps(units), a))
    assert.isTrue(BigDecimal.isLessThan(steps(units - 1n), a))
  })

  it.prop("gives the double nearest to the rounded decimal", [positive], ([value]) => {
    const rounded = Decimal.round(value, 4)
    assert.strictEqual(Decimal.toNumber(rounded), Number(`${rounded.units}e-4`))
  })

  it.prop("compares as BigDecimal does", [positive, positive], ([a, b]) => {
    assert.strictEqual(Decimal.compare(a, b) < 0, BigDecimal.isLessThan(a, b))
    assert.strictEqual(Decimal.compare(a, b), -Decimal.compare(b, a))
    assert.strictEqual(Decimal.compare(a, a), 0)
  })
})
