import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Result } from "effect"
import { campaignForecast, summarize } from "../../../src/extensions/lists/CampaignForecast.ts"
import { distinctRates } from "../../../src/extensions/lists/Campaigns.ts"
import { readCampaignsJson } from "../../../src/extensions/lists/CampaignsJson.ts"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { assumptions } from "../../support/Arbitraries.ts"
import { errorsOf, json, listedFields } from "../support/ReadCampaigns.ts"
import { sample } from "../../support/Samples.ts"

describe("readCampaignsJson", () => {
  it("reads campaigns that learn alike only if they have the same rates and lack the same ones", () => {
    const campaigns = [sample, { ...sample, show_rate: 0 }, { ...sample, emails_sent: 1 }]
    const { campaigns: read } = Result.getOrThrow(readCampaignsJson(JSON.stringify({ campaigns })))
    assert.deepStrictEqual(distinctRates(read).setOf, [0, 1, 0])
  })

  it("reads the default of independent as if it were left out, with a history too", () => {
    const history = [{ emails_sent: 1000, replies: 20 }]
    for (const given of [{ independent: false }, { independent: null }, { independent: false, history }]) {
      const read = Result.getOrThrow(readCampaignsJson(JSON.stringify({ campaigns: [sample], ...given })))
      assert.notProperty(read, "independent")
    }
    const independent = JSON.stringify({ campaigns: [sample], independent: true })
    assert.propertyVal(Result.getOrThrow(readCampaignsJson(independent)), "independent", true)
  })

  it("lists the errors of all campaigns, each with its pointer", () =>
    assert.deepStrictEqual(
      errorsOf(
        json({
          campaigns: [
            { name: "A", ...sample, reply_rate: 101 },
            { name: "A", ...sample, emailsSent: 5 },
            { ...sample, name: "", open_rate: 5, title: "B" },
            5,
            { ...sample, "a/b": 5 },
            { ...sample, reply_rate: 40, emails_per_contact: 3 }
          ],
          reply_rate: 5,
          "n/pe": null
        })
      ),
      [
        "/reply_rate unknown_field: is a field of a campaign: put it into an item of campaigns",
        "/n~1pe unknown_field: is not a known field; the fields are campaigns and history, both arrays, and independent, true or false",
        "/campaigns/0/reply_rate out_of_range: must be at most 100",
        '/campaigns/1/emailsSent duplicate_field: is the same field as "emails_sent"; keep one of them',
        "/campaigns/1/name duplicate_field: is also the name of /campaigns/0; give each campaign a name of its own, or none",
        "/campaigns/2/name invalid_format: must not be empty; leave it out or send a name",
        "/campaigns/2/open_rate unknown_field: is not a known field; leave it out: opens bring no client, and reply_rate counts per email, not per open",
        "/campaigns/2/title unknown_field: is not a known field; send it as name",
        "/campaigns/3 wrong_type: must be a JSON object, not a number",
        `/campaigns/4/a~1b unknown_field: is not a known field; the fields are ${listedFields}`,
        "/campaigns/5/reply_rate out_of_range: would mean more replies than contacts: with 3 emails to each contact it must be at most 33.3333"
      ]
    ))

  for (const [what, value, ...expected] of [
    [
      "the total of the other campaigns",
      {
        campaigns: [
          { name: "A", ...sample },
          { ...sample, name: "B" },
          { ...sample, name: "Total", emails_sent: 10_000 }
        ]
      },
      "/campaigns/2 invalid_format: is the total of the others; leave it out"
    ],
    [
      "a campaign called total without emails, as what is missing",
      {
        campaigns: [
          { name: "A", ...sample, emails_sent: undefined },
          { ...sample, name: "Total", emails_sent: null }
        ]
      },
      "/campaigns/0/emails_sent required: is required",
      "/campaigns/1/emails_sent required: is required"
    ],
    [
      "the average of the other past campaigns",
      {
        campaigns: [sample],
        history: [
          { name: "A", emails_sent: 4200, replies: 210 },
          { name: "B", emails_sent: 3100, replies: 96 },
          { name: "Average", emails_sent: 3650, replies: 153 }
        ]
      },
      "/history/2/emails_sent invalid_format: is the average of the others; leave this campaign out"
    ],
    [
      "campaigns of different clients with one history",
      { campaigns: [sample], history: [{ emails_sent: 1000, replies: 20 }], independent: true },
      "/independent invalid_format: cannot be true with a history, which is one sender's; leave it out, or send the campaigns of each client in a request of their own, with that client's history"
    ],
    [
      "independent where it does not belong, and as a text",
      { campaigns: [{ ...sample, independent: true }], independent: "yes" },
      "/independent wrong_type: must be true or false, not a string",
      "/campaigns/0/independent unknown_field: is not a known field; it is for the whole request: send JSON and put it next to campaigns"
    ],
    [
      "a history that is none",
      { campaigns: [sample], history: 5 },
      "/history wrong_type: must be an array, not a number"
    ],
    [
      "an empty history, besides what is wrong with a campaign",
      { campaigns: [{ ...sample, reply_rate: 101 }], history: [] },
      "/history out_of_range: must have 1 to 100 campaigns, or be left out",
      "/campaigns/0/reply_rate out_of_range: must be at most 100"
    ],
    [
      "counts of past campaigns that are wrong",
      { campaigns: [sample], history: [{ emails_sent: 10, replies: 11, reply_rate: 5 }, { emails_sent: 1.5 }] },
      "/history/0/replies out_of_range: must be at most emails_sent",
      "/history/1/emails_sent not_an_integer: must be a whole number",
      "/history/0/reply_rate unknown_field: is not a known field; leave it out: replies has the count"
    ],
    [
      "101 past campaigns",
      { campaigns: [sample], history: Array.from({ length: 101 }, () => ({ emails_sent: 10, replies: 1 })) },
      "/history out_of_range: must have at most 100 campaigns"
    ],
    [
      "a history that no campaign can learn from",
      {
        campaigns: [
          { ...sample, reply_rate: 0 },
          { ...sample, reply_rate: 100 }
        ],
        history: [{ emails_sent: 10, replies: 1 }]
      },
      "/history required: has nothing to learn from: a rate between 0 and 100 needs a past campaign with both of its counts, such as emails_sent and replies"
    ],
    [
      "a history for 21 sets of rates",
      {
        campaigns: Array.from({ length: 42 }, (_, index) => ({ ...sample, reply_rate: 1 + (index % 21) })),
        history: [{ emails_sent: 10, replies: 1 }]
      },
      "/history out_of_range: may be used with at most 20 distinct sets of rates, but these campaigns have 21; send them in several requests"
    ],
    [
      "a history in a campaign",
      { campaigns: [{ ...sample, history: [{ emails_sent: 10, replies: 1 }] }] },
      "/campaigns/0/history unknown_field: is not a known field; a history is for the whole request: send JSON and put it next to campaigns"
    ],
    ["no campaign", { campaigns: [] }, "/campaigns out_of_range: must have 1 to 1,000 campaigns, not 0"],
    [
      "1,001 campaigns",
      { campaigns: Array.from({ length: 1001 }, () => sample) },
      "/campaigns out_of_range: must have 1 to 1,000 campaigns, not 1,001"
    ],
    ["no list", {}, "/campaigns required: is required"],
    ["null for a list", { campaigns: null }, "/campaigns required: is required"],
    [
      "an object for a list",
      { campaigns: sample },
      "/campaigns wrong_type: must be an array of campaigns, not an object"
    ],
    [
      "a list as a string of JSON",
      { campaigns: JSON.stringify([sample]), history: "[{}]" },
      "/campaigns wrong_type: must be an array of campaigns, not a string of JSON: send it without the quotes around it",
      "/history wrong_type: must be an array, not a string of JSON: send it without the quotes around it"
    ],
    [
      "a history with rates",
      {
        campaigns: [sample],
        history: [
          { emails_sent: 3000, reply_rate: 1.7, positiveReplyRate: 20 },
          { emails_sent: 3000, delivered: 2900, reply_rate: 2 }
        ]
      },
      "/history/0/reply_rate unknown_field: is not a known field; give the count: 3,000 × 1.7% = 51 replies",
      "/history/0/positiveReplyRate unknown_field: is not a known field; give the count: 51 × 20% = 10 positive_replies",
      "/history/1/reply_rate unknown_field: is not a known field; give the count: 2,900 × 2% = 58 replies"
    ],
    ["a list alone", [sample], ' wrong_type: must be a JSON object, like {"campaigns": [{"emails_sent": 5000, …}]}'],
    [
      "a line break in a name",
      { campaigns: [{ name: "a\nb", ...sample }] },
      "/campaigns/0/name invalid_format: must not contain line breaks, tabs or other control characters"
    ],
    [
      "a campaign's fields next to the list, and long names",
      { campaigns: [sample], name: "A", emailsSent: 1, ["x".repeat(101)]: 1 },
      "/name unknown_field: is a field of a campaign: put it into an item of campaigns",
      "/emailsSent unknown_field: is a field of a campaign: put it into an item of campaigns",
      `/${"x".repeat(100)} unknown_field: is not a known field; the fields are campaigns and history, both arrays, and independent, true or false`
    ],
    ["a number alone", 5, ' wrong_type: must be a JSON object, like {"campaigns": [{"emails_sent": 5000, …}]}'],
    [
      "17 KiB besides the list",
      { campaigns: [sample], x: "x".repeat(17_000) },
      "/x unknown_field: is not a known field; the fields are campaigns and history, both arrays, and independent, true or false"
    ]
  ] as const) {
    it(`refuses ${what}`, () => assert.deepStrictEqual(errorsOf(json(value)), [...expected]))
  }

  it("says where a text stops being JSON", () => {
    const campaign = JSON.stringify(sample)
    for (const [text, reason] of [
      [`{"campaigns":[${campaign},`, /end of JSON/],
      [`{"campaigns":[${campaign}],}`, /at position \d+/],
      [`{"campaigns":[${campaign},{"reply_rate":}]}`, /"ply_rate":\}\]\}"/]
    ] as const) {
      const failure = Result.merge(Result.flip(readCampaignsJson(text)))
      assert.match("reason" in failure ? failure.reason : "", reason)
    }
  })

  it("does not count spaces between campaigns", () => {
    const spaces = " ".repeat(17_000)
    const text = `${spaces}{"campaigns":[${spaces}${JSON.stringify(sample)}${spaces}]}${spaces}`
    assert.lengthOf(Result.getOrThrow(readCampaignsJson(text)).campaigns, 1)
  })

  it("reports repeated names together with all other errors", () => {
    const campaign = JSON.stringify({ ...sample, name: "" }).replace("{", '{"reply_rate":500,')
    assert.deepStrictEqual(errorsOf(readCampaignsJson(`{"campaigns":5,"campaigns":[${campaign}]}`)), [
      "/campaigns duplicate_field: occurs more than once in the same object; keep one of them",
      "/campaigns/0/reply_rate duplicate_field: occurs more than once in the same object; keep one of them",
      "/campaigns/0/name invalid_format: must not be empty; leave it out or send a name"
    ])
  })

  it("lists at most 50 errors, none longer than the input that it is about", () => {
    const long = "x".repeat(15_000)
    const errors = errorsOf(json({ campaigns: Array.from({ length: 60 }, () => ({ ...sample, [long]: 1 })) }))
    assert.lengthOf(errors, 50)
    assert.isBelow(errors.join().length, 40_000)
  })
})

describe("forecasts of many campaigns", () => {
  it.effect("are those of each campaign alone", () =>
    Effect.gen(function* () {
      const failure = Arbitrary.formatCheckFailure(
        yield* Arbitrary.checkEffect(
          Arbitrary.array(assumptions, { minLength: 1, maxLength: 4 }),
          (campaigns) =>
            Effect.sync(() => {
              for (const campaign of campaigns) {
                const { name, ...forecast } = campaignForecast(campaign)
                assert.isNull(name)
                const { summary: _, test_first: __, track_record: ___, ...alone } = computeForecast(campaign).forecast
                assert.deepStrictEqual(forecast, alone)
              }
              const { ranking, totals } = summarize(campaigns)
              assert.sameMembers([...ranking.order], [...campaigns.keys()])
              assert.strictEqual(totals.campaigns, campaigns.length)
              return true
            }),
          { runs: 50 }
        )
      )
      assert.isUndefined(failure)
    })
  )
})
