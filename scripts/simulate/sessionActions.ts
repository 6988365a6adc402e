import { Clock, Effect, Option } from "effect"
import { Authenticator } from "../../src/keys/Authenticator.ts"
import { sessionLifetime, Sessions } from "../../src/extensions/account/Sessions.ts"
import { type Action, authenticated, type Known } from "./Action.ts"
import type { Outside, Visit } from "./Outside.ts"
import { hold } from "./Steps.ts"

/** The owner of a key signs in with it. */
export const signIn = (outside: Outside, known: Known): Action => {
  const open = Effect.gen(function* () {
    const before = yield* Clock.currentTimeMillis
    const token = yield* (yield* Sessions).open(known.secret)
    const endsAt = Math.max(before, yield* Clock.currentTimeMillis) + sessionLifetime
    outside.visits.push({ ...known, token, endsAt, isClosed: false, mayContinue: false })
  })
  return { name: `sign in ${known.keyId}`, run: authenticated(outside, known, open) }
}

/** A browser uses a session. A session ends when its time is over, when it is closed, or when its key is revoked. */
const look = (visit: Visit, isRevoked: boolean) =>
  Effect.gen(function* () {
    const { endsAt, isClosed, keyId, token } = visit
    const before = yield* Clock.currentTimeMillis
    const found = yield* (yield* Sessions).find(token)
    const now = Math.min(before, yield* Clock.currentTimeMillis)
    if (Option.isNone(found)) return false
    hold(found.value.id === keyId, `A session of ${keyId} shows ${found.value.id}`)
    hold(!isRevoked, `${keyId} is revoked, and its session continues`)
    hold(!isClosed, `A session of ${keyId} was closed, and continues`)
    hold(now < endsAt, `A session of ${keyId} continues after its time`)
    return true
  })

/** The owner of a key, already signed in, looks at its page or signs out. */
export const visit = (outside: Outside): Action | undefined => {
  const chosen = outside.chance(0.6) ? outside.visits.at(-1) : outside.pick(outside.visits)
  if (chosen === undefined) return undefined
  const isRevoked = outside.revoked.has(chosen.keyId)
  if (outside.chance(0.7)) return { name: `visit ${chosen.keyId}`, run: look(chosen, isRevoked) }
  const close = Effect.gen(function* () {
    yield* (yield* Sessions).close(chosen.token)
    chosen.isClosed = true
  })
  return { name: `sign out ${chosen.keyId}`, run: close }
}

/** While nothing else runs: a session exists only as long as the secret that opened it opens its key. */
export const endOf = (visit: Visit, isRevoked: boolean): Action => ({
  name: `last visit ${visit.keyId}`,
  run: Effect.gen(function* () {
    if (!(yield* look(visit, isRevoked)) || visit.mayContinue) return
    const key = yield* Effect.result((yield* Authenticator).authenticate(visit.secret))
    hold(key._tag === "Success", `A session of ${visit.keyId} continues without its secret`)
  })
})
