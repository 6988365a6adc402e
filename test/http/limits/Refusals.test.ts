import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Refusals } from "../../../src/http/limits/Refusals.ts"
import { settings } from "../../support/Application.ts"
import { until } from "../../support/Process.ts"

const refusals = Layer.provide(Refusals.layer, settings())

/** A request of a client, which records that its connection was closed. */
const request = (remoteAddress: string, destroy: () => void = () => {}) => ({
  headers: {},
  socket: { remoteAddress, destroy }
})

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

describe("refusals", () => {
  it.live("are sent immediately if they are few; the others in order, a few per step", () =>
    Effect.gen(function* () {
      const { inTurn } = yield* Refusals
      const answered: Array<number> = []
      for (const i of upTo(135)) inTurn(request("192.0.2.1"), () => answered.push(i))
      assert.lengthOf(answered, 50)
      yield* until(() => answered.length === 135)
      assert.deepStrictEqual(answered, upTo(135))
      yield* Effect.sleep("150 millis")
      inTurn(request("192.0.2.1"), () => answered.push(135))
      assert.lengthOf(answered, 136)
    }).pipe(Effect.provide(refusals))
  )

  it.live("take turns by client: one with few does not wait for one with many", () =>
    Effect.gen(function* () {
      const { inTurn } = yield* Refusals
      const answered: Array<string> = []
      for (const _ of upTo(150)) inTurn(request("192.0.2.1"), () => answered.push("many"))
      for (const _ of upTo(3)) inTurn(request("192.0.2.2"), () => answered.push("few"))
      yield* until(() => answered.length === 153)
      assert.deepStrictEqual(answered.slice(50, 56), ["many", "few", "many", "few", "many", "few"])
    }).pipe(Effect.provide(refusals))
  )

  it.live("close connections of the client with the most, if too many are waiting", () =>
    Effect.gen(function* () {
      const { inTurn } = yield* Refusals
      const ended: Array<string> = []
      const answered: Array<string> = []
      const send = (client: string, name: string) =>
        inTurn(
          request(client, () => ended.push(name)),
          () => answered.push(name)
        )
      for (const i of upTo(5050)) send("192.0.2.1", `many ${i}`)
      send("192.0.2.2", "few")
      assert.deepStrictEqual([answered.length, ended], [50, ["many 5049"]])
      send("192.0.2.1", "one more")
      assert.deepStrictEqual(ended, ["many 5049", "one more"])
      yield* until(() => answered.length > 51)
      assert.include(answered.slice(0, 52), "few")
    }).pipe(Effect.provide(refusals))
  )
})
