import { assert, describe, it } from "@effect/vitest"
import { type Counts, quantile } from "../../../src/forecast/counts/Counts.ts"
import { type Ratio, toDouble } from "../../../src/forecast/Decimal.ts"
import {
  againstThePlan,
  type Compared,
  endsOf,
  beliefsNow,
  sendings,
  weakestOf
} from "../../../src/extensions/progress/InFlight.ts"
import {
  contradictions,
  type InFlight,
  type Decided,
  decidedCases
} from "../../../src/extensions/progress/DecidedCases.ts"
import type { RateBelief } from "../../../src/forecast/outlook/Posterior.ts"
import { makeSplineThinning, type PassChance } from "../../../src/forecast/counts/SplineThinning.ts"
import { countsOfSpline, splineOf } from "../../../src/forecast/counts/Spline.ts"
import { type Chances, makeThinning } from "../../../src/forecast/counts/Thinning.ts"
import { urn } from "../../../src/forecast/counts/BetaBinomial.ts"
import { flightOf, nothingSent, underWay } from "../support/InFlight.ts"
import { seeded } from "../../support/Seeded.ts"

import vectors from "../../vectors/spread.json" with { type: "json" }

const stages = ["replies", "positive_replies", "meetings", "clients"] as const
const rates = ["reply_rate", "positive_reply_rate", "meeting_booking_rate", "close_rate"] as const

const valueOf = ({ denominator, numerator }: Ratio) => toDouble(numerator) / toDouble(denominator)

const contradicted = (flight: InFlight) => contradictions(flight).map(({ rate }) => rate)

const quantiles = (counts: Counts) => [0.1, 0.5, 0.9].map((level) => quantile(counts, level))

describe("the end of a campaign in flight", () => {
  for (const { answer, open, request, so_far } of vectors.progress) {
    it(`is that of the reference: ${so_far.emails_sent} of ${request.emails_sent} sent`, () => {
      const flight = flightOf(request, so_far, open)
      const whole = endsOf(flight)(request.emails_sent - so_far.emails_sent)
      const stopped = endsOf(flight)(0).clients
      const ends = [
        ...stages.map((stage) => [whole[stage], answer.end[stage]] as const),
        [stopped, answer.stop_now] as const
      ]
      for (const [{ counts, expected }, right] of ends) {
        assert.deepStrictEqual(quantiles(counts), [right.low, right.median, right.high])
        assert.closeTo(valueOf(expected), right.expected, 1e-9)
        assert.closeTo(counts.atLeast(right.low) - counts.atLeast(right.high + 1), right.chance_within, 1e-8)
        assert.closeTo(1 - counts.atLeast(1), right.none, 1e-8)
      }
      assert.closeTo(whole.clients.counts.atLeast(answer.plan_clients), answer.chance_of_plan, 1e-8)
      assert.closeTo(stopped.counts.atLeast(so_far.clients + 1), answer.chance_of_another_if_stopped, 1e-8)
      const compared = againstThePlan(flight)
      for (const [index, name] of rates.entries()) {
        const right = answer.against[index]
        const actual = compared[name]
        assert.strictEqual(actual?.verdict, right?.verdict === null ? null : right?.verdict)
        assert.closeTo(actual?.by_chance_alone ?? 2, right?.alone ?? 2, 1e-8, name)
        assert.closeTo(actual?.as_campaigns_vary ?? 2, right?.vary ?? 2, 1e-8, name)
      }
    })
  }

  it("counts open cases as undecided, with the rate of the new ones", () => {
    const { clients } = endsOf(underWay)(3_000)
    assert.deepStrictEqual(quantiles(clients.counts), [2, 4, 9])
    assert.closeTo(valueOf(clients.expected), 5.0049, 1e-4)
    const stopped = endsOf(underWay)(0).clients
    assert.deepStrictEqual(quantiles(stopped.counts), [1, 2, 4])
    assert.closeTo(valueOf(stopped.expected), 2.3111, 1e-4)
    assert.closeTo(stopped.counts.atLeast(2), 0.6958, 1e-4)
  })

  it("lets open cases pass step by step, like an urn model", () => {
    const flight = flightOf(
      { delivery_rate: 90, show_rate: 75 },
      { emails_sent: 40, delivered: 36, replies: 9, positive_replies: 6, meetings: 4, meetings_held: 2, clients: 1 },
      { emails: 5, replies: 2, positive_replies: 1, meetings: 1, meetings_held: 1 }
    )
    const decided = Object.values<Decided>(decidedCases(flight)).map(({ cases, passed, rate }) => [rate, passed, cases])
    assert.deepStrictEqual(decided, [
      ["delivery_rate", 36, 40],
      ["reply_rate", 9, 31],
      ["positive_reply_rate", 6, 7],
      ["meeting_booking_rate", 4, 5],
      ["show_rate", 2, 3],
      ["close_rate", 1, 1]
    ])
    for (const { basis } of Object.values<RateBelief>(beliefsNow(flight))) assert.strictEqual(basis, "so_far")
    const posteriors = [
      [{ alpha: 37, beta: 1 / 0.9 - 1 + 4 }, 0],
      [{ alpha: 11.3, beta: 43.7 + 22 }, 5],
      [{ alpha: 7, beta: 1 / 0.3 - 1 + 1 }, 2],
      [{ alpha: 5, beta: 4 + 1 }, 1],
      [{ alpha: 3, beta: 1 / 3 + 1 }, 1],
      [{ alpha: 2, beta: 3 }, 1]
    ] as const
    let chances = [...Array.from({ length: 10 }, () => 0), 1]
    for (const [share, open] of posteriors) {
      const people = [...Array.from({ length: open }, () => 0), ...chances]
      const sums = Float64Array.from(people)
      for (let index = 1; index < sums.length; index++) sums[index] = (sums[index] ?? 0) + (sums[index - 1] ?? 0)
      const passed = urn(people.length - 1, { lowest: 0, sums, first: 0, last: sums.length - 1 }, [share]).sums
      chances = Array.from(passed, (sum, index) => sum - (passed[index - 1] ?? 0))
    }
    const { clients } = endsOf(flight)(10)
    const mean = chances.reduce((sum, chance, count) => sum + count * chance, 0)
    assert.closeTo(valueOf(clients.expected), 1 + mean, 1e-12)
    for (let count = 0; count < 8; count++) {
      const tail = chances.slice(count).reduce((sum, chance) => sum + chance, 0)
      assert.closeTo(clients.counts.atLeast(1 + count), tail, 1e-11)
    }
  })

  it("reports the rates that decided cases contradict", () => {
    const soFar = { emails_sent: 100, replies: 10, positive_replies: 9, meetings: 2, clients: 0 }
    const plan = { reply_rate: 100, positive_reply_rate: 100, meeting_booking_rate: 0, close_rate: 0 }
    assert.deepStrictEqual(contradicted(flightOf(plan, soFar)), [
      "reply_rate",
      "positive_reply_rate",
      "meeting_booking_rate"
    ])
    const open = { emails: 90, replies: 1 }
    assert.deepStrictEqual(contradicted(flightOf(plan, soFar, open)), ["meeting_booking_rate"])
    assert.deepStrictEqual(contradicted(underWay), [])
  })
})

describe("a campaign in flight compared with its plan", () => {
  it("accepts a varying reply rate as planned where chance alone would not", () => {
    const rates = againstThePlan(underWay)
    assert.closeTo(rates.reply_rate?.by_chance_alone ?? 1, 3.6e-5, 2e-5)
    assert.closeTo(rates.reply_rate?.as_campaigns_vary ?? 1, 0.3263, 1e-4)
    assert.strictEqual(rates.reply_rate?.verdict, "as_planned")
    assert.isUndefined(weakestOf(rates))
    const exact = againstThePlan({ ...underWay, plan: { ...underWay.plan, spread: "none" } })
    assert.deepInclude(exact.reply_rate, { passed: 62, cases: 2_000, as_campaigns_vary: null, verdict: "below" })
    assert.strictEqual(weakestOf(exact)?.rate, "reply_rate")
  })

  it("names the rate that is most clearly below the plan, and those above it", () => {
    const soFar = { emails_sent: 1_000, replies: 50, positive_replies: 2, meetings: 2, clients: 0 }
    const rates = againstThePlan(flightOf({ meeting_booking_rate: 2 }, soFar))
    assert.deepInclude(rates.reply_rate, { by_chance_alone: 1, as_campaigns_vary: 1, verdict: "as_planned" })
    assert.strictEqual(rates.positive_reply_rate?.verdict, "below")
    assert.strictEqual(rates.meeting_booking_rate?.verdict, "above")
    assert.strictEqual(weakestOf(rates)?.rate, "positive_reply_rate")
  })

  it("gives no verdict if nothing is decided", () => {
    for (const rate of Object.values<Compared>(againstThePlan(flightOf({}, nothingSent)))) {
      assert.deepInclude(rate, { cases: 0, by_chance_alone: null, as_campaigns_vary: null, verdict: null })
    }
  })

  it("offers to send parts of what is left, each once", () => {
    assert.deepStrictEqual(sendings(3_000), [0, 750, 1_500, 2_250, 3_000])
    assert.deepStrictEqual(sendings(2), [0, 1, 2])
    assert.deepStrictEqual(sendings(0), [0])
  })
})

describe("thinning", () => {
  const chancesOf = (people: ReadonlyArray<number>) => ({ lowest: 0, values: Float64Array.from(people) })

  const thin = (people: Chances, open: number, passChance: PassChance): Chances => {
    const passed = makeThinning(passChance)(people, open)
    if ("ends" in passed) throw new Error("was computed in steps")
    return passed
  }

  const runningSums = (values: Float64Array) => {
    let sum = 0
    return values.map((value) => (sum += value))
  }

  it("agrees with an urn model for any distribution of people and of their share", () => {
    const random = seeded(21)
    for (let repeat = 0; repeat < 60; repeat++) {
      const weights = Array.from({ length: 1 + Math.floor(60 * random()) }, () => random())
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      const people = weights.map((weight) => weight / total)
      const open = Math.floor(20 * random())
      const share = { alpha: 10 ** (3 * random() - 1), beta: 10 ** (3 * random() - 1) }
      const sums = Float64Array.from([...Array.from({ length: open }, () => 0), ...people])
      for (let index = 1; index < sums.length; index++) sums[index] = (sums[index] ?? 0) + (sums[index - 1] ?? 0)
      const right = urn(sums.length - 1, { lowest: 0, sums, first: 0, last: sums.length - 1 }, [share]).sums
      const { lowest, values } = thin(chancesOf(people), open, share)
      let sum = 0
      for (let count = 0; count < right.length; count++) {
        sum += values[count - lowest] ?? 0
        assert.closeTo(sum, right[count] ?? 0, 1e-11, JSON.stringify({ share, open, count }))
      }
    }
  })

  it("computes large counts in at most 130 steps, right to 0.001 of a chance", () => {
    const random = seeded(27)
    const draw = (): PassChance => {
      const [alpha, beta] = [1 + 10 ** (4 * random() - 1), 10 ** (4 * random() - 1)]
      return random() < 0.3 ? { known: alpha / (alpha + beta), rest: beta / (alpha + beta) } : { alpha, beta }
    }
    for (let repeat = 0; repeat < 15; repeat++) {
      let exact = thin({ lowest: 700, values: Float64Array.of(1) }, 0, draw())
      const sums = runningSums(exact.values)
      let steps = splineOf(exact.lowest - 1, exact.lowest + sums.length - 1, (count) => sums[count - exact.lowest] ?? 0)
      for (const passChance of [draw(), draw()]) {
        const open = Math.floor(random() * 100)
        exact = thin(exact, open, passChance)
        steps = makeSplineThinning(passChance)(steps, open)
        assert.isAtMost(steps.ends.length, 130)
      }
      const counts = countsOfSpline(steps, 0, 900)
      for (const [index, sum] of runningSums(exact.values).entries()) {
        assert.closeTo(1 - counts.atLeast(exact.lowest + index + 1), sum, 1e-3, JSON.stringify({ repeat, index }))
      }
    }
  })

  it("keeps the chance of nobody in steps if hardly anybody passes", () => {
    const rare: PassChance = { alpha: 0.001, beta: 300 }
    const half: PassChance = { known: 0.5, rest: 0.5 }
    const exact = thin(thin({ lowest: 2_000, values: Float64Array.of(1) }, 0, rare), 0, half)
    const all = splineOf(1_999, 2_000, () => 1)
    const counts = countsOfSpline(makeSplineThinning(half)(makeSplineThinning(rare)(all, 0), 0), 0, 2_000)
    assert.closeTo(1 - counts.atLeast(1), exact.values[0] ?? 0, 1e-5)
  })

  it("ends 100,000 emails with rates of nearly 1 in steps, as the exact sums do", () => {
    const flight = flightOf(
      { emails_sent: 232, reply_rate: 50, positive_reply_rate: 99, meeting_booking_rate: 99, close_rate: 99.9999 },
      { emails_sent: 2_168, replies: 2_146, positive_replies: 214, meetings: 21, clients: 10 },
      { emails: 22, replies: 1_932, positive_replies: 193, meetings: 11 }
    )
    const endAfter = endsOf(flight)
    const { clients, replies } = endAfter(100_000)
    const isRight = (actual: ReadonlyArray<number>, exact: ReadonlyArray<number>) => {
      for (const [index, count] of exact.entries()) assert.closeTo(actual[index] ?? 0, count, count / 1_000)
    }
    isRight(quantiles(replies.counts), [101_966, 102_076, 102_137])
    isRight(quantiles(clients.counts), [101_935, 102_070, 102_135])
    assert.closeTo(clients.counts.atLeast(101_935) - clients.counts.atLeast(102_136), 0.8045, 1e-3)
    isRight(quantiles(endAfter(25_000).clients.counts), [27_109, 27_145, 27_160])
    assert.closeTo(valueOf(clients.expected), 102_009.409, 1e-3)
  })

  it("sums over the counts of 100,000 emails and the open cases", () => {
    const flight = flightOf(
      { reply_rate: 50, positive_reply_rate: 50, meeting_booking_rate: 50, close_rate: 50 },
      { emails_sent: 3, replies: 1, positive_replies: 0, meetings: 0, clients: 0 },
      { emails: 1, replies: 1 }
    )
    const { clients, replies } = endsOf(flight)(100_000)
    // A reply rate of Beta(3.3, 3.3), and rates of Beta(1, 1) or of exactly one half: the means multiply.
    assert.closeTo(valueOf(replies.expected), 1 + 100_001 / 2, 1e-6)
    assert.closeTo(valueOf(clients.expected), (100_001 / 2 + 1) / 8, 1e-6)
    let mean = 0
    for (let count = 1; count <= 100_002; count++) mean += clients.counts.atLeast(count)
    assert.closeTo(mean / valueOf(clients.expected), 1, 1e-3)
  })

  it("lets all, none or a known share pass", () => {
    const two = chancesOf([0.25, 0.5, 0.25])
    const pass = (passChance: PassChance) => thin(two, 1, passChance)
    assert.deepStrictEqual(pass({ known: 1, rest: 0 }), { lowest: 1, values: two.values })
    assert.deepStrictEqual(pass({ known: 0, rest: 1 }), { lowest: 0, values: Float64Array.of(1) })
    // Of 1, 2 or 3 people each passes with one half.
    const { values } = pass({ known: 0.5, rest: 0.5 })
    for (const [count, chance] of [9 / 32, 15 / 32, 7 / 32, 1 / 32].entries()) {
      assert.closeTo(values[count] ?? 0, chance, 1e-15)
    }
  })
})
