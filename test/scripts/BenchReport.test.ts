import { assert, describe, it } from "@effect/vitest"
import { atLeast, cpuAtMost, judgedIf, show, toResult } from "../../scripts/bench/http/report.ts"

/** A server, from its requests per second in each round and the share of a core that it used, if that is known. */
const server = (name: string, perSecond: ReadonlyArray<number>, used?: number) =>
  toResult({
    name,
    title: name,
    memory: undefined,
    rounds: perSecond.map((perSecond) => ({
      perSecond,
      p50: 1,
      p99: 2,
      cpu: { load: 0.5, server: used, machine: undefined },
      promoted: undefined
    }))
  })

describe("the report of the benchmark", () => {
  it("compares servers round by round", () => {
    // Ratios of 2, 3 and 0.5; the medians are 300 and 200.
    const results = [server("ours", [800, 300, 100]), server("peer", [400, 100, 200])]
    assert.deepStrictEqual(atLeast(results, "ours", "peer", 2), [
      { goal: "requests/s of ours / peer at least 2", actual: 2, isMet: true }
    ])
  })

  it("compares processor time per request, where it is known", () => {
    const results = [server("ours", [500, 250], 0.5), server("bound", [1000, 500], 0.75), server("limit", [1000, 500])]
    assert.deepStrictEqual(cpuAtMost(results, "ours", "bound", 1.2), [
      { goal: "CPU of ours / bound at most 1.2", actual: 4 / 3, isMet: false }
    ])
    assert.deepStrictEqual(cpuAtMost(results, "ours", "limit", 1), [])
    assert.deepStrictEqual(cpuAtMost(results, "ours", "other", 1), [])
  })

  it("shows processor time first, and a goal that this machine cannot tell without a verdict", () => {
    const results = [server("ours", [500], 0.5), server("peer", [1000], 0.75)]
    const goals = atLeast(results, "ours", "peer", 2)
    const shown = show(results, [...goals, ...judgedIf(false, goals), ...judgedIf(true, goals)])
    assert.match(shown, /^ +CPU µs each +requests\/s /u)
    assert.match(shown, /\nFAIL {2}requests\/s of ours \/ peer at least 2: 0\.50\n----.* 0\.50\nFAIL .*$/u)
  })
})
