import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { defaultCreditPacks, parseCreditPacks, priceOf, showPrice } from "../../src/settings/CreditPack.ts"

describe("credit packs", () => {
  it("are read as written, in minor units of their currency", () => {
    const packs = Option.getOrThrow(
      parseCreditPacks("starter:500:19.00:USD, big_one-2:1000000000:1250:JPY,k:1:0.005:KWD")
    )
    assert.deepStrictEqual(packs, [
      { id: "starter", credits: 500, amount: 1900, currency: "USD" },
      { id: "big_one-2", credits: 1_000_000_000, amount: 1250, currency: "JPY" },
      { id: "k", credits: 1, amount: 5, currency: "KWD" }
    ])
    assert.deepStrictEqual(packs.map(showPrice), ["19 USD", "1250 JPY", "0.005 KWD"])
    assert.deepStrictEqual(packs.map(priceOf), [19, 1250, 0.005])
    assert.deepStrictEqual(defaultCreditPacks.map(priceOf), [19, 79, 249])
  })

  it("are refused if a part is missing, duplicated or out of bounds", () => {
    for (const text of [
      "",
      "starter",
      "starter:500:19.00",
      "starter:500:19.00:USD,",
      "Starter:500:19.00:USD",
      `${"a".repeat(41)}:500:19.00:USD`,
      ":500:19.00:USD",
      "a:0:19.00:USD",
      "a:1.5:19.00:USD",
      "a:1000000001:19.00:USD",
      "a:500:0.00:USD",
      "a:500:-1.00:USD",
      "a:500:19:USD",
      "a:500:19.0:USD",
      "a:500:19.000:USD",
      "a:500:019.00:USD",
      "a:500:1e3.00:USD",
      "a:500:19.00:JPY",
      "a:500:19.00:usd",
      "a:500:19.00:ABC",
      "a:500:19.00:USD:x",
      "a:500:19.00:USD,a:600:29.00:USD"
    ]) {
      assert.isTrue(Option.isNone(parseCreditPacks(text)), text)
    }
  })
})
