import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, BigDecimal, Schema } from "effect"
import { decimalOf } from "../../src/input/Schemas.ts"

const integer = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

/** Doubles with few and many digits, with and without decimals, sign and exponent. */
const doubles = Arbitrary.map(
  Arbitrary.all([integer(-(2 ** 53), 2 ** 53), integer(0, 15), integer(-30, 290), integer(0, 2)]),
  ([digits, dropped, exponent, kind]) => {
    const short = Math.trunc(digits / 10 ** dropped)
    return [short, Number(`${short}e${-dropped}`), Number(`${short}e${exponent}`)][kind] ?? 0
  }
)

const plain = ({ scale, value }: BigDecimal.BigDecimal) => ({ scale, value })

/** The decimal that the library parses from the shortest digits. */
const parsed = (number: number) => plain(BigDecimal.normalize(BigDecimal.fromStringUnsafe(String(number))))

describe("decimalOf", () => {
  it.prop("has the shortest digits that identify the double, normalized", [doubles], ([number]) =>
    assert.deepStrictEqual(plain(decimalOf(number)), parsed(number))
  )

  it("has them for numbers of 15 to 17 digits, zeros and numbers with an exponent", () => {
    for (const number of [0, -0, 0.1, 5000, 123456789012345, 9007199254740992, 99999999999999.9, 1e21, 1e-7, 5e-324]) {
      assert.deepStrictEqual(plain(decimalOf(number)), parsed(number))
    }
  })

  it("is beyond every bound for numbers that are not finite", () => {
    assert.isTrue(BigDecimal.isGreaterThan(decimalOf(Infinity), decimalOf(Number.MAX_VALUE)))
    assert.isTrue(BigDecimal.isLessThan(decimalOf(-Infinity), decimalOf(-Number.MAX_VALUE)))
  })
})
