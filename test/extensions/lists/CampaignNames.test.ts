import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { wrongCount } from "../../../src/extensions/lists/Campaigns.ts"
import { errorsOf, json } from "../support/ReadCampaigns.ts"
import { sample } from "../../support/Samples.ts"

const named = (...names: ReadonlyArray<string>) => json({ campaigns: names.map((name) => ({ ...sample, name })) })

const controls = "must not contain line breaks, tabs or other control characters"

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

  it("must be unique: the error refers to the first campaign with the name", () => {
    const message = "give each campaign a name of its own, or none"
    assert.deepStrictEqual(errorsOf(named("A", "B", "A", "A", "a")), [
      `/campaigns/2/name duplicate_field: is also the name of /campaigns/0; ${message}`,
      `/campaigns/3/name duplicate_field: is also the name of /campaigns/0; ${message}`
    ])
    // Invalid names are reported, but not as duplicates.
    assert.deepStrictEqual(
      errorsOf(json({ campaigns: [{ ...sample, name: 5 }, { ...sample, name: 5 }, sample, sample] })),
      [
        "/campaigns/0/name wrong_type: must be a string, not a number",
        "/campaigns/1/name wrong_type: must be a string, not a number"
      ]
    )
  })

  it("is suggested to callers that send an id or a title", () => {
    for (const name of [
      "campaign",
      "campaign_name",
      "campaignName",
      "campaign_id",
      "CampaignId",
      "id",
      "Title",
      "label",
      "Name",
      "NAME",
      "Campaign Name",
      "CAMPAIGN",
      "CAMPAIGN_ID",
      "Company",
      "Subject line"
    ]) {
      assert.deepStrictEqual(errorsOf(json({ campaigns: [{ ...sample, [name]: "A" }] })), [
        `/campaigns/0/${name} unknown_field: is not a known field; send it as name`
      ])
      assert.deepStrictEqual(
        errorsOf(json({ campaigns: [sample], history: [{ emails_sent: 100, replies: 5, [name]: "March" }] })),
        [`/history/0/${name} unknown_field: is not a known field; send it as name`]
      )
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

  it("have at most 50 errors listed", () => {
    const wrong = (count: number) => {
      const fields = { ...sample, reply_rate: 101, positive_reply_rate: 101, close_rate: -1 }
      return errorsOf(json({ campaigns: Array.from({ length: count }, () => fields) }))
    }
    assert.deepStrictEqual(
      [16, 17, 18].map((count) => wrong(count).length),
      [48, 50, 50]
    )
  })
})
