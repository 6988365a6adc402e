import { assert, describe, it } from "@effect/vitest"
import { type Learned, type RateName, rateNames } from "../../../src/forecast/Campaign.ts"
import type { Beta } from "../../../src/forecast/counts/SpecialFunctions.ts"
import { quantile } from "../../../src/forecast/counts/Counts.ts"
import { gaussLegendre } from "../../../src/forecast/counts/SpecialFunctions.ts"
import type { PastCampaign } from "../../../src/campaign/PastCampaigns.ts"
import { learn as learnAll } from "../../../src/forecast/outlook/Learning.ts"
import { learnRate } from "../../../src/forecast/outlook/LearnedRate.ts"
import { takeAllSteps } from "../../../src/workers/Steps.ts"
import { countsOf, stagesOf } from "../../../src/forecast/outlook/CampaignOutlook.ts"
import { campaignOf } from "../../support/Campaigns.ts"
import { learnedMoments } from "../../support/Quadrature.ts"
import { seeded } from "../../support/Seeded.ts"

import vectors from "../../vectors/spread.json" with { type: "json" }

/** Without the levels, which the tests of lists are about. */
const learn = (...request: Parameters<typeof learnAll>) => {
  const { learned, track_record } = takeAllSteps(learnAll(...request))
  const rates: { -readonly [rate in RateName]?: NonNullable<Learned[RateName]> } = {}
  for (const name of rateNames) {
    const { levels: _, ...rate } = learned[name] ?? {}
    if ("alpha" in rate) rates[name] = rate
  }
  return { learned: rates, track_record }
}

const moments = ({ alpha, beta }: Beta) => {
  const cases = alpha + beta
  return { mean: alpha / cases, deviation: Math.sqrt((alpha * beta) / (cases + 1)) / cases }
}

/** The difference of two distributions, relative to their means and deviations. */
const distance = (actual: Beta | undefined, expected: Beta | undefined): number => {
  if (actual === undefined || expected === undefined) return Infinity
  const [a, b] = [moments(actual), moments(expected)]
  return Math.abs(a.mean / b.mean - 1) + Math.abs(a.deviation / b.deviation - 1)
}

describe("learning rates from past campaigns", () => {
  for (const { history, rates, request } of vectors.history) {
    it(`has the means and deviations of the reference: ${history.length} campaigns`, () => {
      const { learned } = learn(campaignOf(request), history)
      assert.sameMembers(Object.keys(learned), Object.keys(rates))
      for (const name of ["reply_rate", "positive_reply_rate", "meeting_booking_rate", "close_rate"] as const) {
        const expected = rates[name]
        if (expected === undefined) continue
        const { deviation, mean } = moments(learned[name] ?? { alpha: 0, beta: 0 })
        assert.closeTo(mean, expected.mean, 1e-6, name)
        assert.closeTo(deviation, expected.sd, 1e-6, name)
      }
    })
  }

  it.each([
    {
      planned: 0.3,
      expected: 0.0762,
      tallies: [
        [0, 2000],
        [1, 3000]
      ]
    },
    {
      planned: 0.2,
      expected: 0.044,
      tallies: [
        [0, 2000],
        [1, 3000]
      ]
    },
    { planned: 0.3, expected: 0.1624, tallies: [[0, 2000]] },
    {
      planned: 0.05,
      expected: 0.0017,
      tallies: [
        [0, 2000],
        [1, 3000],
        [1, 4000]
      ]
    },
    {
      planned: 0.5,
      expected: 0.213,
      tallies: [
        [0, 20_000],
        [1, 30_000]
      ]
    },
    { planned: 0.9, expected: 0.6264, tallies: [[0, 3000]] },
    {
      planned: 0.3,
      expected: 0.3952,
      tallies: [
        [0, 2000],
        [1900, 2000]
      ]
    }
  ])(
    "agrees with a plain sum to 1e-4 where the plan of $planned contradicts $tallies",
    ({ expected, planned, tallies }) => {
      const counts = tallies.map(([successes = 0, trials = 0]) => ({ successes, trials }))
      const exact = learnedMoments(planned, counts)
      const { deviation, mean } = moments(learnRate(planned, counts).all)
      assert.closeTo(exact.mean, expected, 5e-5)
      assert.closeTo(mean, exact.mean, 1e-4)
      assert.closeTo(deviation ** 2, exact.deviation ** 2, 1e-4)
    }
  )

  // Trapezoids over the logit of m and ln a, up to 9 deviations of ln a from its prior mean, by numpy.
  it.each([
    { planned: 0.1, mean: 0.004_738_14, replies: [1, 0, 2], emails: [2000, 3000, 2000] },
    { planned: 0.1, mean: 0.004_010_417, replies: [0, 2, 1], emails: [2000, 3000, 1000] },
    { planned: 0.05, mean: 0.004_746_234, replies: [1, 1], emails: [2000, 3000] },
    { planned: 0.1, mean: 0.050_686_521, replies: [0, 0, 30, 0, 0], emails: [2000, 3000, 500, 3000, 2000] }
  ])("is right to 1e-4 of a small rate, too: $replies of $emails", ({ emails, mean, planned, replies }) => {
    const tallies = emails.map((trials, index) => ({ trials, successes: replies[index] ?? 0 }))
    assert.closeTo(moments(learnRate(planned, tallies).all).mean / mean, 1, 1e-4)
  })

  it("treats both outcomes alike: rates and their complements mirror each other", () => {
    const random = seeded(12)
    for (let repeat = 0; repeat < 12; repeat++) {
      const plan = 0.02 + 0.96 * random()
      const tallies = Array.from({ length: 1 + repeat }, () => {
        const trials = 1 + Math.floor(10 ** (4 * random()))
        return { successes: Math.floor(trials * random() ** 2), trials }
      })
      const turned = learnRate(
        1 - plan,
        tallies.map(({ successes, trials }) => ({ successes: trials - successes, trials }))
      ).all
      const mirror = { alpha: turned.beta, beta: turned.alpha }
      assert.isBelow(distance(learnRate(plan, tallies).all, mirror), 1e-6, JSON.stringify({ plan, tallies }))
    }
  })

  it("leaves a campaign out as if it had not been given, however far from the others it is", () => {
    const random = seeded(13)
    for (const [plan, outlier] of [
      [0.03, 0.03],
      [0.03, 0.6],
      [0.4, 0],
      [0.9, 0.2]
    ] as const) {
      for (const campaigns of [1, 2, 12]) {
        const tallies = Array.from({ length: campaigns }, () => {
          const trials = 200 + Math.floor(3_000 * random())
          return { successes: Math.floor(trials * plan * (0.5 + 0.5 * random())), trials }
        })
        const learned = learnRate(plan, [...tallies, { successes: Math.floor(1_000 * outlier), trials: 1_000 }])
        const away = distance(learned.without(campaigns), learnRate(plan, tallies).all)
        assert.isBelow(away, 1e-5, JSON.stringify({ plan, outlier, tallies }))
      }
    }
    assert.isUndefined(learnRate(0.03, [{ successes: 3, trials: 100 }]).without(0))
  })

  it("is certain of what many large campaigns agree on, and hardly affected by few cases", () => {
    const many = learnRate(
      0.05,
      Array.from({ length: 100 }, () => ({ successes: 2_000_000, trials: 100_000_000 }))
    )
    const { deviation, mean } = moments(many.all)
    assert.closeTo(mean, 0.02, 1e-4)
    assert.isBelow(deviation, 0.002)
    const none = moments(learnRate(0.05, [{ successes: 0, trials: 1 }]).all)
    assert.isTrue(none.mean < 0.05 && none.mean > 0.045)
  })

  it("varies the next rate as much as large campaigns of nearly the same rate differ, and no more", () => {
    for (const [differ, least, most] of [
      [0.01, 1, 1.3],
      [0.001, 1, 2]
    ] as const) {
      const rates = Array.from({ length: 100 }, (_, index) => 0.3 * (1 + (differ * (((index * 7) % 11) - 5)) / 5))
      const tallies = rates.map((rate) => ({ successes: Math.round(4_000_000 * rate), trials: 4_000_000 }))
      const learned = learnRate(0.3, tallies)
      const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
      const deviation = Math.sqrt(rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / rates.length)
      assert.closeTo(moments(learned.all).mean / mean, 1, differ / 5)
      assert.isAbove(moments(learned.all).deviation, least * deviation)
      assert.isBelow(moments(learned.all).deviation, most * deviation)
      assert.isBelow(distance(learned.without(3), learnRate(0.3, tallies.toSpliced(3, 1)).all), 1e-5)
    }
  })

  const past = { emails_sent: 1_000, delivered: 900, replies: 40, positive_replies: 10, meetings: 5, meetings_held: 4 }

  it("divides by the counts that the campaign's own rates lead to", () => {
    const full = campaignOf({ delivery_rate: 95, show_rate: 80 })
    const { learned } = learn(full, [{ ...past, clients: 1 }])
    const rate = (plan: number, successes: number, trials: number) => learnRate(plan, [{ successes, trials }]).all
    assert.deepStrictEqual(learned, {
      delivery_rate: rate(0.95, 900, 1_000),
      reply_rate: rate(0.05, 40, 900),
      positive_reply_rate: rate(0.3, 10, 40),
      meeting_booking_rate: rate(0.2, 5, 10),
      show_rate: rate(0.8, 4, 5),
      close_rate: rate(0.25, 1, 4)
    })
    const short = learn(campaignOf(), [{ ...past, clients: 1 }]).learned
    assert.deepStrictEqual(short.reply_rate, rate(0.05, 40, 1_000))
    assert.deepStrictEqual(short.close_rate, rate(0.25, 1, 5))
    assert.notProperty(short, "delivery_rate")
    assert.notProperty(short, "show_rate")
  })

  it("leaves out rates of 0 and 100, and those for which no campaign has both counts", () => {
    const { learned } = learn(campaignOf({ positive_reply_rate: 100, meeting_booking_rate: 0 }), [
      { emails_sent: 100 },
      { emails_sent: 100, replies: 4, positive_replies: 2, meetings: 0, clients: 0 }
    ])
    assert.sameMembers(Object.keys(learned), ["reply_rate"])
  })
})

describe("the track record", () => {
  /** The range forecast for a campaign from the others as if it had never been there, and its result. */
  const forecastOf = (history: ReadonlyArray<PastCampaign>, index: number, stage: "replies" | "clients") => {
    const past = history[index]
    const observed = past?.[stage]
    if (past === undefined || observed === undefined) return null
    const request = campaignOf({ emails_sent: past.emails_sent, reply_rate: 3 })
    const { learned } = learn(request, history.toSpliced(index, 1))
    const counts = countsOf(stagesOf({ ...request, spread: "published", learned })[stage], past.emails_sent)
    return { low: quantile(counts, 0.1), high: quantile(counts, 0.9), observed }
  }

  it("forecasts each campaign from the others, and counts those that ended in their 80% range", () => {
    for (const { history } of vectors.history.slice(1, 3)) {
      const past: ReadonlyArray<PastCampaign> = history.map((each, index) =>
        index === 0 ? { name: "May", ...each } : each
      )
      const record = learn({ ...campaignOf({ reply_rate: 3 }), spread: "published" }, past).track_record
      const each = past.flatMap(({ name = null }, index) => {
        const replies = forecastOf(past, index, "replies")
        return replies === null ? [] : [{ name, replies, clients: forecastOf(past, index, "clients") }]
      })
      const within = (counts: ReadonlyArray<ReturnType<typeof forecastOf>>) =>
        counts.filter((count) => count !== null && count.low <= count.observed && count.observed <= count.high).length
      assert.deepStrictEqual(record, {
        campaigns: past.length,
        replies_within: within(each.map(({ replies }) => replies)),
        clients_of: past.filter(({ clients }) => clients !== undefined).length,
        clients_within: within(each.map(({ clients }) => clients)),
        each
      })
    }
  })

  it("covers clients only if all counts are known", () => {
    const row = { emails_sent: 1_000, replies: 30, positive_replies: 9, meetings: 4, clients: 1 }
    const { meetings: _, ...without } = row
    const record = learn(campaignOf({ reply_rate: 3 }), [row, row, without, { emails_sent: 500 }]).track_record
    assert.deepInclude(record, { campaigns: 3, clients_of: 2 })
    assert.deepStrictEqual(
      record?.each.map(({ clients, replies }) => [replies.observed, clients?.observed]),
      [
        [30, 1],
        [30, 1],
        [30, undefined]
      ]
    )
    const held = learn(campaignOf({ reply_rate: 3, show_rate: 80 }), [row, row, row]).track_record
    assert.deepInclude(held, { campaigns: 3, clients_of: 0, clients_within: 0 })
  })

  it("is null with fewer than three campaigns that have replies", () => {
    const row = { emails_sent: 1_000, replies: 30 }
    assert.isNull(learn(campaignOf(), [row, row, { emails_sent: 1_000 }]).track_record)
    assert.isNotNull(learn(campaignOf(), [row, row, row]).track_record)
  })
})

describe("the Gauss-Legendre rule", () => {
  it("is exact for polynomials of a degree below twice its order", () => {
    for (const order of [1, 2, 7, 40]) {
      const { points, weights } = gaussLegendre(order)
      for (const degree of [0, 1, 2 * order - 2, 2 * order - 1]) {
        const sum = points.reduce((total, x, index) => total + (weights[index] ?? 0) * x ** degree, 0)
        assert.closeTo(sum, degree % 2 === 0 ? 2 / (degree + 1) : 0, 1e-13, `${order}, ${degree}`)
      }
    }
  })
})
