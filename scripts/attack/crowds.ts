import { Effect } from "effect"
import { type Attack, change, countOf, forecast, issueKey, send, type Target } from "./Attack.ts"
import { forecastWith, listed, newSecret, sendAll } from "./Crowd.ts"

/** Good secrets of one key that the server has not seen yet. */
const unseenSecrets = Effect.fnUntraced(function* (target: Target, name: string, count: number) {
  yield* issueKey(target, name)
  const made = yield* Effect.replicateEffect(newSecret, count)
  const rows = made.map(({ hash }) => `('${hash}')`).join(",")
  change(
    target,
    `INSERT INTO key_secrets (hash, key_id, prefix, created_at, first_used_at)
     SELECT n.column1, id, secret_prefix, 0, 0 FROM api_keys, (VALUES ${rows}) n WHERE email = '${name}@honest.example'`
  )
  return made.map(({ secret }) => secret)
})

export const goodKeys: Attack = {
  name: "300 good keys that the server has not seen, over 200 connections of one client",
  run: Effect.fnUntraced(function* (target) {
    const [late = "", ...secrets] = yield* unseenSecrets(target, "many", 301)
    const client = { address: "127.0.0.1" }
    const good = yield* sendAll(target, {
      ...client,
      connections: 200,
      most: secrets.length,
      request: (i) => forecastWith(secrets[i])
    })
    const wrong = yield* Effect.replicateEffect(newSecret, 100)
    const refused = yield* sendAll(target, {
      ...client,
      connections: 10,
      most: wrong.length,
      request: (i) => forecastWith(wrong[i]?.secret)
    })
    const last = yield* forecast(target, late)
    return {
      figure: `${listed(good.answers)}; then 100 wrong keys ${listed(refused.answers)}; then another good key ${last.status} after ${last.millis.toFixed(0)} ms`,
      isDefended: good.answers.get("200") === 300 && refused.answers.get("401") === 100 && last.status === 200
    }
  })
}

export const wrongKeys: Attack = {
  name: "220 wrong keys at once",
  run: Effect.fnUntraced(function* (target) {
    yield* forecast(target)
    const wrong = yield* Effect.replicateEffect(newSecret, 220)
    const started = performance.now()
    const replies = yield* Effect.forEach(
      wrong,
      ({ secret }) => send(`${target.server.url}/api/v1/usage`, { key: secret, timeout: 3000 }),
      { concurrency: "unbounded" }
    )
    const minutes = (performance.now() - started) / 60_000
    const honest = yield* forecast(target)
    const [looked, refused, waiting] = [countOf(replies, 401), countOf(replies, 429), countOf(replies, 0)]
    return {
      figure: `${looked} answers 401, ${refused} answers 429, ${waiting} waited for longer than 3 s; a good key ${honest.status}`,
      isDefended: looked <= 101 + 100 * minutes && refused > 0 && waiting <= 100 && honest.status === 200
    }
  })
}
