import { assert, describe, it } from "@effect/vitest"
import { makeLookUpQueues } from "../../src/keys/lookUpQueues.ts"

/** Queues with three tokens per minute and a manual clock, and the outcome of each look-up. */
const makeLines = () => {
  let time = 0
  const wakes: Array<{ readonly at: number; readonly wake: () => void }> = []
  const queues = makeLookUpQueues({
    wrongPerMinute: 3,
    now: () => time,
    later: (millis, wake) => wakes.push({ at: time + millis, wake })
  })
  const log: Array<string> = []
  return {
    log,
    enter: (name: string, client = "a") =>
      queues.enter(client, {
        begin: () => log.push(name),
        refuse: ({ retryAfter }) => log.push(`${name} refused ${retryAfter}`)
      }),
    refuseWaiting: queues.refuseWaiting,
    pass: (millis: number) => {
      time += millis
      for (const due of wakes.splice(0)) {
        if (due.at <= time) due.wake()
        else wakes.push(due)
      }
    }
  }
}

describe("the look-ups of a client", () => {
  it("run at most as many at a time as there are tokens, and take a token if they find nothing", () => {
    const { enter, log, pass } = makeLines()
    const ends = ["1", "2", "3", "4", "5"].map((name) => enter(name))
    assert.deepStrictEqual(log, ["1", "2", "3"])
    ends[0]?.(false)
    assert.deepStrictEqual(log, ["1", "2", "3", "4"])
    for (const at of [1, 2, 3]) ends[at]?.(true)
    assert.deepStrictEqual(log, ["1", "2", "3", "4"])
    enter("other", "b")
    pass(19_999)
    assert.deepStrictEqual(log, ["1", "2", "3", "4", "other"])
    pass(1)
    assert.deepStrictEqual(log, ["1", "2", "3", "4", "other", "5"])
    enter("6")
    ends[4]?.(false)
    assert.deepStrictEqual(log.slice(-2), ["5", "6"])
  })

  it("allow 100 in the queue without a token, and 1,000 with one; those that leave make room", () => {
    const { enter, log, pass } = makeLines()
    const ends = Array.from({ length: 1003 }, (_, i) => enter(String(i)))
    enter("too many")
    assert.deepStrictEqual(log, ["0", "1", "2", "too many refused 1"])
    for (const at of [0, 1, 2]) ends[at]?.(true)
    assert.lengthOf(log, 4 + 900)
    assert.deepStrictEqual([log[4], log.at(-1)], ["103 refused 20", "1002 refused 20"])
    enter("one more")
    assert.strictEqual(log.at(-1), "one more refused 20")
    // Finishing a refused look-up, or finishing twice, has no effect.
    ends[1002]?.(false)
    ends[50]?.(false)
    ends[50]?.(false)
    enter("queued")
    enter("one more")
    assert.strictEqual(log.at(-1), "one more refused 20")
    pass(20_000)
    assert.strictEqual(log.at(-1), "3")
  })

  it("are refused immediately when the service stops", () => {
    const { enter, log, refuseWaiting } = makeLines()
    for (const name of ["1", "2", "3"]) enter(name)(true)
    enter("4")
    enter("5")
    refuseWaiting()
    assert.deepStrictEqual(log, ["1", "2", "3", "4 refused 20", "5 refused 20"])
  })
})
