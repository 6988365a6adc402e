import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decodeAssumptions } from "../../../src/campaign/Assumptions.ts"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { roundChance } from "../../../src/forecast/counts/Counts.ts"
import { endsOf } from "../../../src/extensions/progress/InFlight.ts"
import { nothingOpen, type Open, type SoFar } from "../../../src/extensions/progress/DecidedCases.ts"
import { computeProgress } from "../../../src/extensions/progress/Progress.ts"
import type { ProgressAnswer } from "../../../src/extensions/progress/ProgressAnswer.ts"
import { decodeProgressRequest } from "../../../src/extensions/progress/ProgressRequest.ts"
import { decodeJson } from "../../../src/input/parseJson.ts"
import { nothingSent, underWay } from "../support/InFlight.ts"
import { sample } from "../../support/Samples.ts"
import { seeded } from "../../support/Seeded.ts"
import { simulateEnds, worstError } from "../support/SimulatedEnds.ts"

import vectors from "../../vectors/spread.json" with { type: "json" }

const stages = ["replies", "positive_replies", "meetings", "clients"] as const

const progressOf = (body: object): ProgressAnswer =>
  computeProgress(Result.getOrThrow(decodeJson(JSON.stringify(body), decodeProgressRequest)))

const planOf = (body: object) => Result.getOrThrow(decodeJson(JSON.stringify(body), decodeAssumptions))

const withEverything = {
  ...sample,
  delivery_rate: 96,
  show_rate: 80,
  emails_sent: 400,
  so_far: { ...nothingSent, delivered: 0, meetings_held: 0 }
}

/** A fraction that is never rounded. */
type Exact = readonly [numerator: bigint, denominator: bigint]

const lowest = (a: bigint, b: bigint): bigint => (b === 0n ? a : lowest(b, a % b))
const exact = (a: bigint, b: bigint): Exact => {
  const divisor = lowest(a, b)
  return [a / divisor, b / divisor]
}
const product = ([a, b]: Exact, [c, d]: Exact) => exact(a * c, b * d)
const sum = ([a, b]: Exact, [c, d]: Exact) => exact(a * d + b * c, b * d)
const numberOf = ([a, b]: Exact) => Number((a * 10n ** 20n) / b) / 1e20

/** The chances of all numbers of clients, person by person, in an urn model: each passes a rate that depends on those before. */
const enumerate = (people: number, steps: ReadonlyArray<{ open: number; alpha: Exact; beta: Exact }>) => {
  let chances: Array<Exact> = [...Array.from({ length: people }, (): Exact => [0n, 1n]), [1n, 1n]]
  for (const { alpha, beta, open } of steps) {
    const next = Array.from({ length: chances.length + open }, (): Exact => [0n, 1n])
    for (const [came, chance] of chances.entries()) {
      let passing: Array<Exact> = [[1n, 1n]]
      for (let person = 0; person < came + open; person++) {
        const whole = sum(sum(alpha, beta), [BigInt(person), 1n])
        const share = (part: Exact): Exact => product(part, [whole[1], whole[0]])
        const more = Array.from({ length: passing.length + 1 }, (): Exact => [0n, 1n])
        for (const [count, each] of passing.entries()) {
          const hit = share(sum(alpha, [BigInt(count), 1n]))
          const miss = share(sum(beta, [BigInt(person - count), 1n]))
          more[count + 1] = sum(more[count + 1] ?? [0n, 1n], product(each, hit))
          more[count] = sum(more[count] ?? [0n, 1n], product(each, miss))
        }
        passing = more
      }
      for (const [count, each] of passing.entries()) {
        next[count] = sum(next[count] ?? [0n, 1n], product(chance, each))
      }
    }
    chances = next
  }
  return chances
}

describe("the response for a campaign in flight", () => {
  it("agrees with the reference", () => {
    for (const { answer, open, request, so_far } of vectors.progress) {
      const actual = progressOf({ ...request, so_far, open })
      const chance = (value: number) => (value === 0 || value === 1 ? value : roundChance(value))
      for (const stage of stages) {
        const { chance_within, expected, high, low, median } = answer.end[stage]
        assert.deepInclude(actual.end[stage], { so_far: so_far[stage], low, median, high })
        assert.closeTo(actual.end[stage].expected, expected, 6e-5)
        assert.closeTo(actual.end[stage].chance_within, chance_within, 6e-5)
      }
      assert.deepStrictEqual(actual.plan, {
        clients: answer.plan_clients,
        chance_of_at_least: chance(answer.chance_of_plan)
      })
      const { expected, high, low, median } = answer.stop_now
      assert.deepInclude(actual.if_you_stop_now.clients, { low, median, high })
      assert.closeTo(actual.if_you_stop_now.clients.expected, expected, 6e-5)
      assert.strictEqual(actual.if_you_stop_now.chance_of_another_client, chance(answer.chance_of_another_if_stopped))
      const against = [
        actual.against_the_plan.reply_rate,
        actual.against_the_plan.positive_reply_rate,
        actual.against_the_plan.meeting_booking_rate,
        actual.against_the_plan.close_rate
      ].map((rate) => [rate.chance_by_chance_alone, rate.chance_as_campaigns_vary, rate.verdict])
      assert.deepStrictEqual(
        against,
        answer.against.map(({ alone, vary, verdict }) => [
          alone === null ? null : chance(alone),
          vary === null ? null : chance(vary),
          verdict
        ])
      )
    }
  })

  it("equals the plan's forecast with nothing sent and nothing open", () => {
    for (const changes of [{}, { spread: "none" }, { history: [{ emails_sent: 900, delivered: 880, replies: 30 }] }]) {
      const request = { ...withEverything, ...changes }
      const { so_far: _, ...plan } = request
      const { outlook } = computeForecast(planOf(plan)).forecast
      const actual = progressOf(request)
      for (const stage of stages) assert.deepStrictEqual(actual.end[stage], { so_far: 0, ...outlook[stage] })
      for (const name of ["revenue", "roi_multiple", "chance_of_no_client", "chance_to_break_even"] as const) {
        assert.deepStrictEqual<unknown>(actual.end[name], outlook[name], name)
      }
      assert.deepStrictEqual(actual.rates, outlook.rates)
      assert.deepStrictEqual(actual.if_you_stop_now, {
        clients: { expected: 0, low: 0, median: 0, high: 0 },
        chance_of_another_client: 0
      })
      for (const rate of Object.values(actual.against_the_plan))
        assert.deepInclude(rate, { observed: null, verdict: null })
    }
  })

  it("is certain with everything sent and nothing open", () => {
    const so_far = { emails_sent: 5000, replies: 200, positive_replies: 50, meetings: 9, clients: 3 }
    for (const more of [{}, { emails_sent: 9000, emails_left: 0 }]) {
      const { end, if_you_send, if_you_stop_now, plan } = progressOf({ ...sample, so_far, ...more })
      for (const stage of stages) {
        const count = so_far[stage]
        assert.deepStrictEqual(end[stage], {
          so_far: count,
          expected: count,
          low: count,
          median: count,
          high: count,
          chance_within: 1
        })
      }
      assert.include(end, { chance_of_no_client: 0, chance_to_break_even: 1 })
      assert.strictEqual(plan.chance_of_at_least, 0)
      assert.strictEqual(if_you_stop_now.chance_of_another_client, 0)
      assert.deepStrictEqual(if_you_send, [{ emails: 0, expected: 3, low: 3, high: 3 }])
    }
  })

  it("is correct to the last digit for few emails, compared with exact fractions", () => {
    const cases: ReadonlyArray<readonly [soFar: SoFar, open: Partial<Open>, left: number]> = [
      [{ emails_sent: 20, replies: 6, positive_replies: 4, meetings: 3, clients: 1 }, {}, 12],
      [{ emails_sent: 20, replies: 6, positive_replies: 4, meetings: 3, clients: 1 }, { emails: 3, replies: 1 }, 9],
      [
        { emails_sent: 9, replies: 5, positive_replies: 3, meetings: 2, clients: 0 },
        { emails: 1, replies: 2, positive_replies: 1, meetings: 1 },
        6
      ],
      [{ emails_sent: 9, replies: 5, positive_replies: 3, meetings: 2, clients: 0 }, { meetings: 2 }, 0]
    ]
    for (const [so_far, open, emails_left] of cases) {
      const plan = { ...sample, reply_rate: 50, positive_reply_rate: 40, meeting_booking_rate: 60, close_rate: 25 }
      const { end, if_you_stop_now, plan: planned } = progressOf({ ...plan, so_far, open, emails_left })
      const all = { ...nothingOpen, ...open }
      // The prior of 50% varies as published, Beta(2.3, 2.3); that of any other rate p is worth one success, Beta(1, 1/p - 1).
      const posterior = (open: number, before: number, passed: number, alpha: Exact, beta: Exact) =>
        before - open === 0
          ? { open, alpha: [1_000_000_000_000n, 4n] satisfies Exact, beta: [3_000_000_000_000n, 4n] satisfies Exact }
          : {
              open,
              alpha: sum(alpha, [BigInt(passed), 1n]),
              beta: sum(beta, [BigInt(before - open - passed), 1n])
            }
      const steps = [
        posterior(all.emails, so_far.emails_sent, so_far.replies, [23n, 10n], [23n, 10n]),
        posterior(all.replies, so_far.replies, so_far.positive_replies, [1n, 1n], [3n, 2n]),
        posterior(all.positive_replies, so_far.positive_replies, so_far.meetings, [1n, 1n], [2n, 3n]),
        posterior(all.meetings, so_far.meetings, so_far.clients, [1n, 1n], [3n, 1n])
      ]
      const chances = enumerate(emails_left, steps)
      const atLeast = (count: number) =>
        numberOf(chances.slice(Math.max(count - so_far.clients, 0)).reduce(sum, [0n, 1n]))
      const { chance_within, expected, high, low, median } = end.clients
      for (const [count, level] of [
        [low, 0.1],
        [median, 0.5],
        [high, 0.9]
      ] as const) {
        assert.isAtLeast(1 - atLeast(count + 1), level - 1e-10)
        assert.isBelow(1 - atLeast(count), level)
      }
      const mean = chances.map(([a, b], count) => exact(a * BigInt(count + so_far.clients), b)).reduce(sum, [0n, 1n])
      assert.closeTo(expected, numberOf(mean), 5.1e-5)
      assert.closeTo(chance_within, atLeast(low) - atLeast(high + 1), 5.1e-5)
      assert.closeTo(planned.chance_of_at_least, atLeast(planned.clients), 1.01e-4)
      const stopped = enumerate(0, steps)
      const another = numberOf(stopped.slice(1).reduce(sum, [0n, 1n]))
      assert.closeTo(if_you_stop_now.chance_of_another_client, another, 5.1e-5)
    }
  })

  it("agrees with simulated ends", () => {
    const ends = simulateEnds(underWay, 600, { random: seeded(27), ends: 10_000 })
    const { counts } = endsOf(underWay)(600).clients
    assert.isBelow(
      worstError(ends, (count) => counts.atLeast(count), 12),
      4
    )
  })
})
