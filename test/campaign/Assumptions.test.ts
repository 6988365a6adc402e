import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Assumptions } from "../../src/campaign/Assumptions.ts"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import type { FieldError } from "../../src/input/InvalidInput.ts"
import { decodeText, sample } from "../support/Samples.ts"

const errorsOf = (text: string) =>
  decodeText(text).pipe(
    Effect.flip,
    Effect.flatMap((failure) =>
      failure._tag === "InvalidInput" ? Effect.succeed(failure.errors) : Effect.die(failure.reason)
    )
  )

/** The sample as a JSON text in which one field has another literal. */
const withField = (field: string, literal: string) =>
  `{${Object.entries({ ...sample, [field]: literal })
    .map(([name, value]) => `"${name}":${value}`)
    .join(",")}}`

const tooManyPlaces = "must have at most 40 decimal places"

describe("decodeAssumptions", () => {
  const cases: ReadonlyArray<readonly [field: string, literal: string, code: FieldError["code"], message: string]> = [
    ["reply_rate", "-1", "out_of_range", "must be at least 0"],
    ["reply_rate", "100.0001", "out_of_range", "must be at most 100"],
    ["reply_rate", '"5"', "wrong_type", "must be a number, not a string"],
    ["reply_rate", "true", "wrong_type", "must be a number, not a boolean"],
    ["reply_rate", "[5]", "wrong_type", "must be a number, not an array"],
    ["reply_rate", '{"value":5}', "wrong_type", "must be a number, not an object"],
    ["reply_rate", "null", "required", "is required"],
    ["reply_rate", "1e300", "out_of_range", "must be at most 100"],
    ["reply_rate", "1e999", "out_of_range", "must be at most 100"],
    ["reply_rate", "-1e999", "out_of_range", "must be at least 0"],
    ["reply_rate", "1e-41", "out_of_range", tooManyPlaces],
    ["campaign_cost", "9".repeat(15_000), "out_of_range", "must be at most 1000000000"],
    ["emails_sent", "0", "out_of_range", "must be at least 1"],
    ["emails_sent", "1.5", "not_an_integer", "must be a whole number"],
    ["emails_sent", "1e9", "out_of_range", "must be at most 100000000"],
    ["campaign_cost", "-0.01", "out_of_range", "must be at least 0"],
    ["average_deal_value", "1000000000.01", "out_of_range", "must be at most 1000000000"],
    ["delivery_rate", "100.1", "out_of_range", "must be at most 100"],
    ["show_rate", "-0.1", "out_of_range", "must be at least 0"],
    ["emails_per_contact", "0", "out_of_range", "must be at least 1"],
    ["emails_per_contact", "21", "out_of_range", "must be at most 20"],
    ["emails_per_contact", "2.5", "not_an_integer", "must be a whole number"]
  ]
  for (const [field, literal, code, message] of cases) {
    it.effect(`refuses ${field} ${literal}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* errorsOf(withField(field, literal)), [{ pointer: `/${field}`, code, message }])
      })
    )
  }

  for (const literal of [
    "0",
    "100",
    "0.1234567890123456789",
    "1e2",
    "5E-1",
    `5.${"0".repeat(2000)}`,
    // As a double, it is 100.
    "100.00000000000000000001",
    `0.${"1".repeat(400)}`,
    "1e-400",
    "5e-40",
    "1.2345678901234567e-15",
    "0e99"
  ]) {
    it.effect(`accepts the rate ${literal}`, () => decodeText(withField("reply_rate", literal)))
  }
  for (const literal of ["0", "1e9", "1000000000"]) {
    it.effect(`accepts the cost ${literal}`, () => decodeText(withField("campaign_cost", literal)))
  }
  for (const literal of ["1", "100000000", "1e8"]) {
    it.effect(`accepts ${literal} emails`, () => decodeText(withField("emails_sent", literal)))
  }

  it.effect("reads camelCase as snake_case, and null as a field left out", () =>
    Effect.gen(function* () {
      const camel = `{"emailsSent":5000,"replyRate":5,"positiveReplyRate":30,"meetingBookingRate":20,"closeRate":25,
        "averageDealValue":2500,"campaignCost":600}`
      assert.deepStrictEqual(yield* decodeText(camel), yield* decodeText(JSON.stringify(sample)))
      const { average_deal_value: _, campaign_cost: __, ...required } = sample
      assert.deepStrictEqual(
        yield* decodeText(JSON.stringify({ ...required, average_deal_value: null, campaignCost: null })),
        yield* decodeText(JSON.stringify(required))
      )
    })
  )

  it.effect("describes only the first 50 errors, and shows only part of a long name", () =>
    Effect.gen(function* () {
      const unknown = Array.from({ length: 2300 }, (_, i) => `"${i.toString(36)}":1`)
      const misspelled = yield* errorsOf(`{"reply_rate":500,${unknown.join(",")}}`)
      assert.lengthOf(misspelled, 50)
      assert.deepInclude(misspelled, { pointer: "/reply_rate", code: "out_of_range", message: "must be at most 100" })
      const long = `"${"~".repeat(7000)}":1`
      assert.isBelow(JSON.stringify(yield* errorsOf(`{${long}}`)).length, 3000)
    })
  )

  it.effect("never responds with many times the size of the request, and is fast for numbers of any length", () =>
    Effect.gen(function* () {
      const least = Object.keys(sample).map((name) => `"${name}":${name === "emails_sent" ? "1" : "1e-40"}`)
      const assumptions = yield* decodeText(`{${least.join(",")}}`)
      assert.isBelow(JSON.stringify(computeForecast(assumptions).forecast).length, 8 * 1024)
    })
  )

  it.effect("reports everything at once, in the caller's spelling, with suggestions", () =>
    Effect.gen(function* () {
      const errors = yield* errorsOf(
        `{"emails_sent":1.5,"replyRate":101,"reply_rate":5,"meeting_booking_rate":20,
          "closeRate":"25","avg_deal_value":2500,"budget/~":1,"bounceRate":5,"__proto__":2,"constructor":3}`
      )
      const known = Object.keys(Assumptions.fields).join(", ")
      assert.deepStrictEqual(
        errors.map(({ code, message, pointer }) => `${pointer} ${code}: ${message}`),
        [
          "/emails_sent not_an_integer: must be a whole number",
          "/replyRate out_of_range: must be at most 100",
          "/positive_reply_rate required: is required",
          "/closeRate wrong_type: must be a number, not a string",
          '/reply_rate duplicate_field: is the same field as "replyRate"; keep one of them',
          '/avg_deal_value unknown_field: is not a known field; did you mean "average_deal_value"?',
          `/budget~1~0 unknown_field: is not a known field; the fields are ${known}`,
          "/bounceRate unknown_field: is not a known field; subtract bounces: send delivery_rate, 100 − bounce rate",
          `/__proto__ unknown_field: is not a known field; the fields are ${known}`,
          `/constructor unknown_field: is not a known field; the fields are ${known}`
        ]
      )
    })
  )

  it.effect("says where the counts of evidence go, with the same numbers", () =>
    Effect.gen(function* () {
      const counts = '{"reply_rate":{"observed":31,"out_of":800},"positive_reply_rate":{"observed":9,"out_of":31}}'
      const [error, ...others] = yield* errorsOf(withField("evidence", counts))
      const row = '{"emails_sent":800,"replies":31,"positive_replies":9}'
      assert.deepStrictEqual(error, {
        pointer: "/evidence",
        code: "unknown_field",
        message: `is not a known field; put past campaigns into history, like [${row}]; send the results of this one to POST /api/v1/progress, like "so_far": ${row}`
      })
      assert.deepStrictEqual(others, [])
    })
  )

  it.effect("accepts camelCase only for the seven fields of the first release", () =>
    Effect.gen(function* () {
      for (const [name, suggested] of [
        ["deliveryRate", "delivery_rate"],
        ["emailsPerContact", "emails_per_contact"]
      ]) {
        const [error] = yield* errorsOf(JSON.stringify({ ...sample, [name ?? ""]: 1 }))
        assert.strictEqual(error?.message, `is not a known field; did you mean "${suggested}"?`)
      }
    })
  )

  it.effect("reports a history that teaches nothing because of a misspelled count once", () =>
    Effect.gen(function* () {
      const errors = yield* errorsOf(JSON.stringify({ ...sample, history: [{ emails_sent: 100, replys: 5 }] }))
      assert.deepStrictEqual(
        errors.map(({ pointer }) => pointer),
        ["/history/0/replys"]
      )
    })
  )

  for (const [misspelled, suggested] of [
    ["avg_deal_value", "average_deal_value"],
    ["reply_rates", "reply_rate"],
    ["campainCost", "campaign_cost"],
    ["emails", "emails_sent"],
    ["CLOSE_RATE", "close_rate"],
    ["booking_rate", "meeting_booking_rate"]
  ] as const) {
    it.effect(`suggests ${suggested} for ${misspelled}`, () =>
      Effect.gen(function* () {
        const [error] = yield* errorsOf(JSON.stringify({ ...sample, [misspelled]: 1 }))
        assert.strictEqual(error?.message, `is not a known field; did you mean "${suggested}"?`)
      })
    )
  }

  for (const [name, advice] of [
    ["bounce_rate", "subtract bounces: send delivery_rate, 100 − bounce rate"],
    ["Bounce Rate", "subtract bounces: send delivery_rate, 100 − bounce rate"],
    ["open_rate", "leave it out: opens bring no client, and reply_rate counts per email, not per open"],
    ["clickRate", "leave it out: clicks bring no client here; reply_rate is the percentage of emails that get a reply"],
    ["unsubscribe_rate", "leave it out: people who unsubscribe do not reply, so reply_rate counts them already"],
    ["industry", "leave it out: the forecast depends only on your rates; send rates measured there"],
    ["name", "leave it out: a forecast has no name"],
    [
      "replies",
      "send reply_rate, replies ÷ emails × 100; counts of past campaigns go into history, those of this one so far to POST /api/v1/progress"
    ],
    ["ltv", "if that is the value of one client, send it as average_deal_value"],
    ["budget", "send it as campaign_cost, the total cost of the campaign"]
  ] as const) {
    it.effect(`says what to do instead of ${name}`, () =>
      Effect.gen(function* () {
        const [error] = yield* errorsOf(JSON.stringify({ ...sample, [name]: 1 }))
        assert.strictEqual(error?.message, `is not a known field; ${advice}`)
        assert.strictEqual(error?.pointer, `/${name}`)
      })
    )
  }

  for (const [text, kind] of [
    ["null", "null"],
    ["[]", "an array"],
    ['"text"', "a string"],
    ["5", "a number"],
    ["true", "a boolean"]
  ] as const) {
    it.effect(`refuses ${text} as a whole`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* errorsOf(text), [
          { pointer: "", code: "wrong_type", message: `must be a JSON object, not ${kind}` }
        ])
      })
    )
  }
})

const encode = Schema.encodeSync(Schema.fromJsonString(Assumptions))

describe("the encoding of assumptions", () => {
  it.effect("includes only the given fields: a field added later changes nothing", () =>
    Effect.gen(function* () {
      const { average_deal_value: _, campaign_cost: __, ...required } = sample
      assert.strictEqual(
        encode(yield* decodeText(JSON.stringify(required))),
        '{"emails_sent":5000,"reply_rate":5,"positive_reply_rate":30,"meeting_booking_rate":20,"close_rate":25}'
      )
    })
  )

  it.effect("is the same for every spelling of a value, and different for different values", () =>
    Effect.gen(function* () {
      const textOf = (more: string) => Effect.map(decodeText(`{${JSON.stringify(sample).slice(1, -1)}${more}}`), encode)
      assert.strictEqual(yield* textOf(',"show_rate":8e1'), yield* textOf(',"show_rate":80.0,"history":null'))
      // The default equals an absent field, for requests answered before `spread` existed.
      assert.strictEqual(yield* textOf(',"spread":"published"'), yield* textOf(""))
      assert.strictEqual(
        yield* textOf(',"history":[{"replies":4,"emails_sent":9e1}]'),
        yield* textOf(',"history":[{"emails_sent":90,"clients":null,"replies":4}]')
      )
      const texts = yield* Effect.all(
        [
          "",
          ',"spread":"none"',
          ',"history":[{"emails_sent":90,"replies":4}]',
          ',"history":[{"emails_sent":90,"replies":5}]',
          ',"history":[{"emails_sent":90,"replies":4},{"emails_sent":90,"replies":4}]',
          ',"show_rate":80',
          ',"delivery_rate":80',
          ',"emails_per_contact":3'
        ].map(textOf)
      )
      assert.strictEqual(new Set(texts).size, texts.length)
    })
  )
})
