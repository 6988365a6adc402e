import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Assumptions } from "../../src/campaign/Assumptions.ts"
import { canonicalText } from "../../src/input/canonicalText.ts"
import { decodeText, sample } from "../support/Samples.ts"

const text = canonicalText(Assumptions)

describe("canonicalText", () => {
  it.effect("includes only the given fields: a field added later changes nothing", () =>
    Effect.gen(function* () {
      const { average_deal_value: _, campaign_cost: __, ...required } = sample
      assert.strictEqual(
        text(yield* decodeText(JSON.stringify(required))),
        '{"emails_sent":5000,"reply_rate":5,"positive_reply_rate":30,"meeting_booking_rate":20,"close_rate":25}'
      )
    })
  )

  it.effect("is the same for every spelling of a value, and different for different values", () =>
    Effect.gen(function* () {
      const textOf = (more: string) => Effect.map(decodeText(`{${JSON.stringify(sample).slice(1, -1)}${more}}`), text)
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
