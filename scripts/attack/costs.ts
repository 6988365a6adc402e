import { Effect } from "effect"
import { type Attack, countOf, forecast, issueKey, send } from "./Attack.ts"

export const wrongKeys: Attack = {
  name: "500 wrong keys",
  run: Effect.fnUntraced(function* (target) {
    yield* forecast(target)
    let i = 0
    const wrong = Effect.suspend(() => forecast(target, `ofk_live_wrong${i++}`))
    const started = performance.now()
    const replies = yield* Effect.replicateEffect(wrong, 500, { concurrency: 20 })
    const minutes = (performance.now() - started) / 60_000
    const honest = yield* forecast(target)
    const [looked, refused] = [countOf(replies, 401), countOf(replies, 429)]
    return {
      figure: `${looked} answers 401, ${refused} answers 429, a good key ${honest.status}`,
      isDefended: looked <= 101 + 100 * minutes && looked + refused === 500 && honest.status === 200
    }
  })
}

const costly = (name: string, body: string): Attack => ({
  name,
  run: Effect.fnUntraced(function* (target) {
    const replies = yield* Effect.replicateEffect(forecast(target, "demo", body), 20)
    const fastest = Math.min(...replies.map(({ millis }) => millis))
    const longest = Math.max(...replies.map(({ text }) => text.length))
    return {
      figure: `${countOf(replies, 400)} of 20 refused, ${fastest.toFixed(1)} ms, ${longest} characters`,
      isDefended: countOf(replies, 400) === 20 && longest < 16_384 && fastest < 50
    }
  })
})

const unknownFields = Array.from({ length: 2000 }, (_, i) => `"${i.toString(36)}":1`).join(",")
const names = ["emails_sent", "reply_rate", "positive_reply_rate", "meeting_booking_rate", "close_rate"]

export const manyFields = costly("2,000 unknown fields in 16 KiB", `{${unknownFields}}`)
export const manyDigits = costly(
  "numbers of 1,100 digits in a few bytes",
  `{${names.map((name) => `"${name}":1e-1100`).join(",")}}`
)

export const rotations: Attack = {
  name: "30 rotations of one key",
  run: Effect.fnUntraced(function* (target) {
    let key = yield* issueKey(target, "rotating")
    const replies = yield* Effect.replicateEffect(
      Effect.suspend(() => send(`${target.server.url}/api/v1/keys/rotate`, { method: "POST", key })).pipe(
        Effect.tap(({ text }) =>
          Effect.sync(() => {
            key = /"api_key":"([^"]+)"/.exec(text)?.[1] ?? key
          })
        )
      ),
      30
    )
    const made = countOf(replies, 200)
    const refused = countOf(replies, 429)
    return {
      figure: `${made} rotated, ${refused} refused`,
      isDefended: made > 0 && made <= 10 && made + refused === 30
    }
  })
}

export const orders: Attack = {
  name: "20 orders by one key",
  run: Effect.fnUntraced(function* (target) {
    const key = yield* issueKey(target, "ordering")
    const order = send(`${target.server.url}/api/v1/orders`, { key, body: '{"pack":"starter"}' })
    const replies = yield* Effect.replicateEffect(order, 20, { concurrency: 20 })
    const placed = countOf(replies, 201)
    const statuses = [...new Set(replies.map(({ status }) => status))].join(", ")
    return {
      figure: `${placed} placed; statuses ${statuses}`,
      isDefended: placed > 0 && placed <= 5 && replies.every(({ status }) => status === 201 || status === 409)
    }
  })
}
