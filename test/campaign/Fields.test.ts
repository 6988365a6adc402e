import { assert, describe, it } from "@effect/vitest"
import { fieldNames, fields, membersOf, type NumberField } from "../../src/campaign/Fields.ts"
import { countNames, countsOfRate, eachRate, isOptional, rateNames, rates } from "../../src/campaign/Rates.ts"
import { readNumber } from "../../src/extensions/tables/readNumber.ts"

describe("the table of a campaign's fields", () => {
  it("lists every number once, required ones first", () => {
    assert.deepStrictEqual(fieldNames.toSorted(), Object.keys(fields).toSorted())
    const presences = fieldNames.map((name) => fields[name].presence)
    const order = ["required", "usual", "refinement"] as const
    assert.deepStrictEqual(
      presences,
      presences.toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
    )
  })

  for (const name of fieldNames) {
    it(`has examples of ${name} that its bounds and the form accept`, () => {
      const { bounds, example, form }: NumberField = fields[name]
      for (const text of [String(example), form.example]) {
        assert.property(readNumber(text, bounds, form.example), "value")
      }
    })
  }

  it("has a distinct heading and a distinct name for the people after each rate", () => {
    const passed = rateNames.map((rate) => rates[rate].passed)
    assert.strictEqual(new Set(passed.map(({ heading }) => heading)).size, rateNames.length)
    assert.strictEqual(new Set(countNames).size, rateNames.length + 1)
  })
})

describe("the counts of a rate", () => {
  const required = { reply_rate: 1, positive_reply_rate: 1, meeting_booking_rate: 1, close_rate: 1 }
  const chain = (campaign: Parameters<typeof countsOfRate>[0]) =>
    rateNames
      .filter((rate) => campaign[rate] !== undefined)
      .map((rate) => countsOfRate(campaign, rate))
      .map(({ successes, trials }) => `${trials} → ${successes}`)

  it("are those before and after it if the campaign has every rate", () => {
    assert.deepStrictEqual(
      chain(membersOf(rateNames, () => 1)),
      countNames.slice(1).map((name, index) => `${countNames[index]} → ${name}`)
    )
  })

  it("skip the rates that the campaign leaves out", () => {
    assert.deepStrictEqual(chain(required), [
      "emails_sent → replies",
      "replies → positive_replies",
      "positive_replies → meetings",
      "meetings → clients"
    ])
  })
})

describe("eachRate", () => {
  it("visits the given rates in the order of the funnel", () => {
    const values = { close_rate: 4, meeting_booking_rate: 3, positive_reply_rate: 2, reply_rate: 1 }
    assert.deepStrictEqual(
      Object.entries(eachRate(values, (value, name) => `${name} ${value}`)).flat(),
      rateNames.filter((name) => !isOptional(name)).flatMap((name, index) => [name, `${name} ${index + 1}`])
    )
  })
})
