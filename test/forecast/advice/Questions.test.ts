import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { firstSentences } from "../../../src/forecast/Spoken.ts"
import { decodeText } from "../../support/Samples.ts"

interface Plan {
  readonly emails: number
  /** Reply, positive reply, meeting booking and close rate. */
  readonly rates: readonly [number, number, number, number]
  readonly value?: number
  readonly cost?: number
}

const forecastOf = ({ cost, emails, rates, value }: Plan, more: object = {}) => {
  const [reply_rate, positive_reply_rate, meeting_booking_rate, close_rate] = rates
  const request = {
    emails_sent: emails,
    reply_rate,
    positive_reply_rate,
    meeting_booking_rate,
    close_rate,
    average_deal_value: value,
    campaign_cost: cost,
    ...more
  }
  return Effect.map(decodeText(JSON.stringify(request)), (assumptions) => computeForecast(assumptions).forecast)
}

const adviceOn = (plan: Plan, more: object = {}) =>
  Effect.map(forecastOf(plan, more), ({ recommendations }) => recommendations)

const usual: Plan = { emails: 5000, rates: [2, 20, 45, 20], value: 8000, cost: 900 }

const published = "Clientium 2026, CC BY 4.0, clientium.it/osservatorio/"

describe("questions about the unit of rates", () => {
  it.effect("ask whether rates are of emails, and say what to enter then", () =>
    Effect.gen(function* () {
      for (const [rates, text] of [
        [
          [2, 0.5, 45, 20],
          "Is 0.5% of emails meant? Then enter 25 as the positive reply rate: 5,000 emails would bring 2.25 clients instead of 0.05. If not, leave automatic replies out; positive replies stay 0.01% of emails."
        ],
        [
          [5, 60, 1.5, 20],
          "Is 1.5% of emails meant? Then enter 50 as the meeting booking rate: 5,000 emails would bring 15 clients instead of 0.45."
        ],
        [
          [2, 0.5, 0.2, 20],
          "Are 0.5% and 0.2% of emails meant? Then enter 25 as the positive reply rate and 40 as the meeting booking rate: 5,000 emails would bring 2 clients instead of fewer than 0.01. If not, leave automatic replies out; positive replies stay 0.01% of emails."
        ],
        [
          [2, 0.5, 0.2, 0.05],
          "Are 0.5%, 0.2% and 0.05% of emails meant? Then enter 25 as the positive reply rate, 40 as the meeting booking rate and 25 as the close rate: 5,000 emails would bring 2.5 clients instead of fewer than 0.01. If not, leave automatic replies out; positive replies stay 0.01% of emails."
        ],
        [
          [0.9, 0.2, 45, 20],
          "Is 0.2% of emails meant? Then enter 22.22 as the positive reply rate: 5,000 emails would bring 0.9 clients instead of 0.01."
        ]
      ] as const) {
        assert.deepStrictEqual(yield* adviceOn({ ...usual, rates }), [text])
      }
    })
  )

  it.effect("say that two rates cannot both be right", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* adviceOn({ ...usual, rates: [2, 20, 1.5, 20] }), [
        "Of what is the meeting booking rate 1.5%? If of emails, there are 1.5 meetings but 0.4 positive replies of 100 emails: one of the rates is in another unit. If of replies, enter 7.5: 5,000 emails would bring 0.3 clients instead of 0.06."
      ])
      const [none = ""] = yield* adviceOn({ ...usual, rates: [2, 3, 4, 20] })
      assert.match(none, /one of the rates is in another unit\.$/)
    })
  )

  it.effect("take several rates below 1 for fractions, unless all of them are plausible shares of emails", () =>
    Effect.gen(function* () {
      for (const rates of [
        [5, 0.3, 0.45, 0.2],
        [5, 0.3, 0.25, 0.2],
        [0.05, 0.3, 0.45, 0.2]
      ] as const) {
        assert.match(
          (yield* adviceOn({ ...usual, rates })).join("\n"),
          /^Check the unit .* look like fractions\. [^\n]*$/
        )
      }
    })
  )

  it.effect("are silent about rates at the bounds, and about those learned from past campaigns", () =>
    Effect.gen(function* () {
      for (const rates of [
        [2, 2, 45, 20],
        [100, 3, 45, 20],
        [2, 20, 5, 20]
      ] as const) {
        assert.notMatch((yield* adviceOn({ ...usual, rates })).join("\n"), /of emails meant|Of what/)
      }
      const history = [{ emails_sent: 5000, replies: 100, positive_replies: 1 }]
      const learned = yield* adviceOn({ ...usual, rates: [2, 0.5, 45, 20] }, { history })
      assert.notMatch(learned.join("\n"), /of emails meant/)
    })
  )

  it.effect("ask whether a high reply rate is of contacts, before they say how rare it is", () =>
    Effect.gen(function* () {
      const plan: Plan = { emails: 9000, rates: [6, 20, 45, 20], value: 18_000, cost: 1400 }
      const [question] = yield* adviceOn(plan)
      assert.strictEqual(
        question,
        `Is 6% of contacts meant? Then divide it by the emails that each gets: with 3, enter a reply rate of 2 and 3 emails per contact, which bring 3.24 clients instead of 9.72. If it is of emails, that is more replies than 99 of 100 published campaigns get (half of them get fewer than 1.71%: ${published}). At 1.71%, the campaign would bring 2.77 clients instead of 9.72.`
      )
      assert.notMatch((yield* adviceOn(plan, { emails_per_contact: 1 })).join("\n"), /of contacts meant/)
      const [automatic] = yield* adviceOn({ ...usual, rates: [4, 5, 45, 20] })
      assert.strictEqual(
        automatic,
        "Is 4% of contacts meant? Then divide it by the emails that each gets: with 3, enter a reply rate of 1.33 and 3 emails per contact, which bring 0.3 clients instead of 0.9. If it is of emails, leave automatic replies out; positive replies stay 0.2% of emails."
      )
    })
  )

  it.effect("are heard before any figure", () =>
    Effect.gen(function* () {
      for (const rates of [
        [2, 0.5, 45, 20],
        [2, 20, 1.5, 20],
        [3.7, 55, 75, 29]
      ] as const) {
        const forecast = yield* forecastOf({ ...usual, rates })
        const question = firstSentences(forecast.recommendations[0] ?? "").join(" ")
        assert.isTrue(forecast.summary.startsWith(`${question} In `), question)
      }
      assert.match((yield* forecastOf(usual)).summary, /^In \d+ of 100 such campaigns/)
    })
  )
})

describe("questions about rates that few campaigns have", () => {
  it.effect("ask about four rates that are all close to their upper bounds, without a flag", () =>
    Effect.gen(function* () {
      const top: Plan = { emails: 5000, rates: [3.7, 55, 75, 29], value: 8000, cost: 3000 }
      const { recommendations, risk_flags } = yield* forecastOf(top)
      assert.deepStrictEqual(risk_flags, [])
      assert.strictEqual(
        recommendations[0],
        "Are all four rates your own? Each is at least 90% of the highest published one (3.79%, 60%, 80% and 30%). At the usual 1.71%, 14.1%, 45% and 20%, the campaign would bring 1.09 clients instead of 22.1."
      )
      // 0.9 of 3.79 is 3.411.
      for (const rates of [
        [3.41, 55, 75, 29],
        [3.7, 53, 75, 29],
        [3.7, 55, 71, 29],
        [3.7, 55, 75, 26]
      ] as const) {
        assert.notMatch((yield* adviceOn({ ...top, rates })).join("\n"), /all four rates/)
      }
      assert.match((yield* adviceOn({ ...top, rates: [3.411, 54, 72, 27] })).join("\n"), /all four rates/)
    })
  )

  it.effect("say that published campaigns are larger, where this one is", () =>
    Effect.gen(function* () {
      const rare = (emails: number) =>
        Effect.map(adviceOn({ ...usual, emails, rates: [5, 20, 45, 20] }), ([text]) => text)
      assert.include(yield* rare(499), "more replies than 97 of 100 published campaigns of 500 emails or more get")
      assert.include(yield* rare(500), "more replies than 97 of 100 published campaigns get")
    })
  )
})

describe("the question about the cost", () => {
  it.effect("is not asked if the cost only looks incomplete with replies that may be of contacts", () =>
    Effect.gen(function* () {
      const plan = { emails: 9000, rates: [6, 20, 45, 20], value: 18_000 } as const
      for (const [cost, isAsked] of [
        [1400, false],
        [400, true]
      ] as const) {
        const [first, ...others] = yield* adviceOn({ ...plan, cost })
        assert.match(first ?? "", /^Is 6% of contacts meant\?/)
        assert.strictEqual(/Does the cost of/.test(others.join("\n")), isAsked, String(cost))
      }
    })
  )
})

describe("a rate of 100%", () => {
  it.effect("is a step that does not exist: no flag, no advice, and no comparison of what follows it", () =>
    Effect.gen(function* () {
      const all = { emails: 3000, rates: [4, 35, 100, 60], value: 120, cost: 400 } as const
      const { recommendations, risk_flags } = yield* forecastOf(all)
      assert.deepStrictEqual(risk_flags, ["optimistic_reply_rate"])
      assert.notMatch(recommendations.join("\n"), /meeting|close rate|per meeting/)
      for (const rates of [
        [2, 100, 45, 20],
        [2, 20, 45, 100],
        [2, 20, 100, 1]
      ] as const) {
        const { risk_flags: flags } = yield* forecastOf({ ...usual, rates, cost: 9000 })
        assert.notMatch(flags.join(), /positive|booking|close/, rates.join("/"))
      }
      // 3% of held meetings are below a bound; of booked meetings they are not.
      for (const show_rate of [undefined, 100]) {
        const { risk_flags: flags } = yield* forecastOf({ ...usual, rates: [2, 20, 45, 3] }, { show_rate })
        assert.notInclude(flags, "low_close_rate")
      }
    })
  )
})

describe("questions about past campaigns", () => {
  const replies = (...rows: ReadonlyArray<readonly [number, number]>) => ({
    history: rows.map(([emails_sent, replies]) => ({ emails_sent, replies }))
  })

  it.effect("ask about the one campaign that is unlike the others", () =>
    Effect.gen(function* () {
      const plan = { ...usual, rates: [2, 20, 45, 20] } as const
      const rows = [
        [2000, 40],
        [2000, 30],
        [2500, 50]
      ] as const
      const [question, ...others] = yield* adviceOn(plan, replies(...rows, [2000, 1000]))
      assert.strictEqual(
        question,
        "One of your 4 past campaigns, with 50% replies, is unlike the others: is 1,000 right? Without it, the reply rate is 1.9% instead of 6.7%."
      )
      assert.notMatch(others.join("\n"), /Check the reply rate/)
      const [none] = yield* adviceOn(plan, replies(...rows, [2000, 0]))
      assert.match(none ?? "", /^One of your 4 past campaigns, with no replies, is unlike the others: is 0 right\?/)
      const named = replies(...rows, [2000, 1000]).history.map((row, index) => ({ ...row, name: `List ${index}` }))
      assert.match((yield* adviceOn(plan, { history: named }))[0] ?? "", /^List 3, one of your 4 past campaigns, /)
      const two = [...rows, ...rows, ...rows, [2000, 0], [2000, 0]] as const
      for (const usualRows of [replies(...rows), replies(...rows, [2000, 120]), replies(...two)])
        assert.notMatch((yield* adviceOn(plan, usualRows)).join("\n"), /is unlike/)
    })
  )

  it.effect("ask about a result only if it is far from what the others forecast", () =>
    Effect.gen(function* () {
      const plan = { ...usual, rates: [2, 20, 45, 20] } as const
      const [question] = yield* adviceOn(plan, replies([2000, 0], [2000, 0], [2000, 90]))
      assert.match(
        question ?? "",
        /^One of your 3 past campaigns, with 4.5% replies, is unlike the others: is 90 right/
      )
      // The others forecast 2 to 14 replies.
      const few = yield* adviceOn(plan, replies([500, 5], [500, 8], [500, 6], [500, 0]))
      assert.notMatch(few.join("\n"), /is unlike/)
    })
  )

  it.effect("come without advice on the rates that rest on the answer", () =>
    Effect.gen(function* () {
      const plan = { ...usual, rates: [2, 20, 45, 20] } as const
      const rows = replies([2000, 40], [2000, 30], [2500, 50], [2000, 1000])
      const [question = "", ...others] = yield* adviceOn({ ...plan, cost: 900 }, rows)
      assert.match(question, /is unlike the others/)
      assert.notMatch(others.join("\n"), /the cost of 900|Test three lists|Send [0-9,]+ emails/)
      const row = (emails_sent: number, meetings: number, clients: number) => ({ emails_sent, meetings, clients })
      const [undecided = "", ...rest] = yield* adviceOn(plan, { history: [row(2000, 9, 0), row(3000, 6, 3)] })
      assert.match(undecided, /^Are all 9 meetings/)
      assert.notMatch(rest.join("\n"), /close rate|Send [0-9,]+ emails/)
      const lost = yield* adviceOn(plan, { history: Array.from({ length: 12 }, () => row(2000, 3, 0)) })
      assert.match(lost[0] ?? "", /^Are all 36 meetings/)
      assert.notMatch(lost.slice(1).join("\n"), /where plans count on/)
    })
  )

  it.effect("come after the one about automatic replies, which is first of what is learned", () =>
    Effect.gen(function* () {
      const row = (positive_replies: number) => ({ emails_sent: 2000, replies: 40, positive_replies })
      const [first, second] = yield* adviceOn(usual, { history: [row(0), row(0), row(1)] })
      assert.match(first ?? "", /^Do the replies include automatic ones\?/)
      assert.match(second ?? "", /^Your past campaigns point to/)
    })
  )

  it.effect("leave a unit's figures without what past campaigns teach", () =>
    Effect.gen(function* () {
      const history = [{ emails_sent: 2000, replies: 40, positive_replies: 8 }]
      const [question] = yield* adviceOn({ ...usual, rates: [2, 0.5, 45, 20] }, { history })
      assert.match(
        question ?? "",
        /enter 50: without your past campaigns, 5,000 emails would bring 4.5 clients instead/
      )
    })
  )

  it.effect("ask whether meetings that won nobody are decided", () =>
    Effect.gen(function* () {
      const row = (meetings: number, clients?: number) => ({
        emails_sent: 2000,
        replies: 40,
        positive_replies: 12,
        meetings,
        clients
      })
      const ask = (...history: ReadonlyArray<object>) => Effect.map(adviceOn(usual, { history }), ([text = ""]) => text)
      assert.strictEqual(
        yield* ask(row(4, 0), row(5, 0)),
        "Are all 9 meetings of your past campaigns decided? They count as lost: leave clients out where some are not."
      )
      assert.match(
        yield* ask(row(4, 0), row(5, 2)),
        /^Are all 4 meetings of your past campaigns without a client decided\?/
      )
      // At the close rate of the others, every second campaign with three meetings wins nobody.
      const many = [row(3, 0), row(10, 2), row(3, 0), row(5, 1), row(3, 0)]
      for (const history of [[row(2, 0)], [row(4), row(5)], [row(2, 0), row(2, 0), row(6, 1)], many])
        assert.notMatch(yield* ask(...history), /decided/)
    })
  )
})

/** The natural logarithm of the gamma function, by Stirling's series. */
const lnGamma = (x: number): number => {
  if (x < 20) return lnGamma(x + 1) - Math.log(x)
  const inverse = 1 / (x * x)
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / x
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series
}

/** The chance of no client of `emails`: the average of (1 - share x)^emails over the published spread of the reply rate x. */
const noneAfter = (emails: number, reply: number, share: number): number => {
  const alpha = 2.3
  const beta = alpha / reply - alpha
  const constant = lnGamma(alpha + beta) - lnGamma(alpha) - lnGamma(beta)
  const steps = 20_000
  const most = Math.min(1, reply * 20)
  let sum = 0
  for (let step = 1; step < steps; step++) {
    const x = (most * step) / steps
    const density = Math.exp(constant + (alpha - 1) * Math.log(x) + (beta - 1) * Math.log1p(-x))
    sum += (step % 2 === 1 ? 4 : 2) * density * Math.exp(emails * Math.log1p(-share * x))
  }
  return (sum * most) / steps / 3
}

describe("the emails for a first client", () => {
  it.effect("are those after which half, and 80 of 100, have one, as computed another way", () =>
    Effect.gen(function* () {
      const plan: Plan = { emails: 8000, rates: [1.6, 18, 45, 20], value: 18_000, cost: 1400 }
      assert.deepStrictEqual(yield* adviceOn(plan), [
        "Be prepared to win no client: 23 of 100 such campaigns win none; half have the first client after 3,112 emails, 80 of 100 after 8,939."
      ])
      for (const [emails, rates] of [
        [8000, [1.6, 18, 45, 20]],
        [3000, [1.7, 14, 45, 20]],
        [400, [3.5, 25, 40, 30]],
        [2500, [1.1, 10, 25, 10]]
      ] as const) {
        const text = (yield* adviceOn({ emails, rates })).join("\n")
        const numbers =
          /half have the first client after ([\d,]+) emails, 80 of 100 after ([\d,]+)/.exec(text)?.slice(1) ?? []
        const [half = 0, most = 0] = numbers.map((number) => Number(number.replaceAll(",", "")))
        const [reply, positive, booked, won] = rates
        const none = (sent: number) => noneAfter(sent, reply / 100, (positive * booked * won) / 1_000_000)
        assert.isTrue(none(half) <= 0.5 && none(half - 1) > 0.5, `${rates.join("/")}: ${half}`)
        assert.isTrue(none(most) <= 0.2 && none(most - 1) > 0.2, `${rates.join("/")}: ${most}`)
      }
      assert.match(
        (yield* adviceOn({ emails: 5000, rates: [1.2, 8, 25, 3] })).join("\n"),
        /half have the first client after [\d,]+ emails, 80 of 100 after /
      )
    })
  )
})
