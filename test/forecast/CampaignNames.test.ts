import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { wrongCount } from "../../src/forecast/Campaigns.ts"
import { csv, errorsOf, json } from "../support/ReadCampaigns.ts"
import { sample } from "../support/Samples.ts"

const named = (...names: ReadonlyArray<string>) => json({ campaigns: names.map((name) => ({ ...sample, name })) })

const controls = "must have no line breaks, tabs or other control characters"

describe("the name of a campaign", () => {
  it("has 1 to 200 characters, whatever they are made of", () => {
    for (const name of ["x", "\u{1F4E7}".repeat(200), "a\u00A0b", "\u00E9", "~"]) {
      assert.deepStrictEqual(
        Result.getOrThrow(named(name)).map(({ name }) => name),
        [name]
      )
    }
    assert.deepStrictEqual(errorsOf(named("\u{1F4E7}".repeat(201))), [
      "/campaigns/0/name invalid_format: must have at most 200 characters"
    ])
  })

  it("has no control characters", () => {
    for (const character of ["\u0000", "\t", "\u001F", "\u007F", "\u0085", "\u009F"]) {
      for (const name of [`${character}a`, `a${character}`]) {
        assert.deepStrictEqual(errorsOf(named(name)), [`/campaigns/0/name invalid_format: ${controls}`])
      }
    }
  })

  it("is another for each campaign: the first of a name is the one to speak of", () => {
    const message = "give each campaign its own name, or none"
    assert.deepStrictEqual(errorsOf(named("A", "B", "A", "A", "a")), [
      `/campaigns/2/name duplicate_field: is the name of /campaigns/0 too; ${message}`,
      `/campaigns/3/name duplicate_field: is the name of /campaigns/0 too; ${message}`
    ])
    // Names that are none are wrong, but not twice the same.
    assert.deepStrictEqual(
      errorsOf(json({ campaigns: [{ ...sample, name: 5 }, { ...sample, name: 5 }, sample, sample] })),
      [
        "/campaigns/0/name wrong_type: must be a string, not a number",
        "/campaigns/1/name wrong_type: must be a string, not a number"
      ]
    )
  })

  it("is what callers mean by an id or a title", () => {
    for (const name of [
      "campaign",
      "campaign_name",
      "campaignName",
      "campaign_id",
      "CampaignId",
      "id",
      "Title",
      "label"
    ]) {
      assert.deepStrictEqual(errorsOf(json({ campaigns: [{ ...sample, [name]: "A" }] })), [
        `/campaigns/0/${name} unknown_field: is not a known field; send it as name`
      ])
    }
    for (const name of ["my_campaign", "ids", "untitled"]) {
      assert.notInclude(errorsOf(json({ campaigns: [{ ...sample, [name]: "A" }] })).join(), "send it as name")
    }
  })
})

describe("campaigns that are read", () => {
  it("are 1 to 1,000", () => {
    assert.deepStrictEqual(
      [0, 1, 1000, 1001].map((count) => wrongCount(count) === undefined),
      [false, true, true, false]
    )
  })

  it("have their errors listed, all that come with the one that makes it 50, and no more", () => {
    const wrong = (count: number) =>
      json({ campaigns: Array.from({ length: count }, () => ({ ...sample, reply_rate: 101, close_rate: -1 })) })
    assert.lengthOf(errorsOf(wrong(24)), 48)
    assert.lengthOf(errorsOf(wrong(25)), 50)
    assert.lengthOf(errorsOf(wrong(26)), 50)
    const pointer = errorsOf(json({ campaigns: [{ ...sample, ["x".repeat(400)]: 1 }] }))[0]?.split(" ")[0]
    assert.isAtMost(pointer?.length ?? Infinity, 300)
  })
})

describe("campaigns in CSV", () => {
  const header = "name,emails_sent,reply_rate,positive_reply_rate,meeting_booking_rate,close_rate"

  it("have numbers in any form that is one, and nothing that a spreadsheet would make of others", () => {
    for (const number of ["5", "5.0", "5.", "+5", "0.5e1", "5E+0", "50e-1", " 5 "]) {
      const [campaign] = Result.getOrThrow(csv(`${header}\nA,5000,${number},30,20,25`))
      assert.strictEqual(campaign?.reply_rate.value, 5n * 10n ** BigInt(campaign?.reply_rate.scale ?? 99), number)
    }
    assert.deepStrictEqual(errorsOf(csv(`${header}\nA,5000,.5,30,20,25`)), [])
    for (const none of ["5,0", "5 %", "five", "1e", "e5", "--5", "0x5", "5.5.5", ".", "5e1.5"]) {
      assert.deepStrictEqual(
        errorsOf(csv(`${header}\nA,5000,"${none}",30,20,25`)),
        [
          "/campaigns/0/reply_rate wrong_type: must be a number such as 2500 or 5.5, and nothing else (line 2, column reply_rate)"
        ],
        none
      )
    }
  })

  it("may be called by a number", () => {
    const [campaign] = Result.getOrThrow(csv(`${header}\n 2026 ,5000,5,30,20,25`))
    assert.strictEqual(campaign?.name, "2026")
  })

  it("have each column once, evidence too, and are told of a long one by its first 100 characters", () => {
    const evidence = "reply_rate_observed,reply_rate_out_of"
    assert.deepStrictEqual(errorsOf(csv(`${header},${evidence},reply_rate_observed\nA,5000,5,30,20,25,1,2,1`)), [
      "/campaigns/0/evidence/reply_rate/observed duplicate_field: is the same field as an earlier column; keep one of them (line 1, column reply_rate_observed)"
    ])
    const long = "x".repeat(101)
    assert.match(
      errorsOf(csv(`${header},${long}\nA,5000,5,30,20,25,1`)).join(),
      /unknown_field: .* \(line 1, column x{100}\)$/
    )
    // A rate that has no such column is another field.
    assert.match(
      errorsOf(csv(`${header},reply_rate_seen\nA,5000,5,30,20,25,1`)).join(),
      /reply_rate_seen unknown_field/
    )
    assert.match(
      errorsOf(csv(`${header},a_reply_rate_observed\nA,5000,5,30,20,25,1`)).join(),
      /a_reply_rate_observed unknown_field/
    )
  })

  it("may have columns without a name where all their cells are empty", () => {
    assert.deepStrictEqual(errorsOf(csv(`${header},,\nA,5000,5,30,20,25, ,\nB,5000,5,30,20,25`)), [])
    assert.deepStrictEqual(errorsOf(csv(`${header},,\nA,5000,5,30,20,25,,1`)), [
      "/campaigns/0 invalid_format: has 8 cells, and the header no name for that column (line 2)"
    ])
  })

  it("start with a header that can be read", () => {
    assert.deepStrictEqual(errorsOf(csv('"name\nA')), [" invalid_format: has a quote that is not closed (line 1)"])
    assert.match(
      errorsOf(csv("name\nA"))[0] ?? "",
      /emails_sent required: is required, and the header has no such column/
    )
    assert.match(errorsOf(csv("reply_rate_observed,x\n1,2")).join(), /must start with a header line/)
  })
})
