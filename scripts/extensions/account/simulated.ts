import { Clock, Effect, Option, type Redacted } from "effect"
import { sessionLifetime, Sessions } from "../../../src/extensions/account/Sessions.ts"
import { Authenticator } from "../../../src/keys/Authenticator.ts"
import { hashOf } from "../../../src/keys/KeySecrets.ts"
import { type Action, authenticated, type Known } from "../../simulate/Action.ts"
import { rotate } from "../../simulate/keyActions.ts"
import type { Outside } from "../../simulate/Outside.ts"
import type { Part, SimulatedExtension } from "../../simulate/Part.ts"
import { hold } from "../../simulate/Steps.ts"

/** A browser session that was opened with a secret of a key. */
interface Visit extends Known {
  readonly token: Redacted.Redacted
  /** The latest time at which it ends, in milliseconds. */
  readonly endsAt: number
  isClosed: boolean
  /** True if it may continue with another secret. */
  mayContinue: boolean
}

/** The owner of a key signs in with it. */
const signIn = (outside: Outside, visits: Array<Visit>, known: Known): Action => {
  const open = Effect.gen(function* () {
    const before = yield* Clock.currentTimeMillis
    const token = yield* (yield* Sessions).open(known.secret)
    const endsAt = Math.max(before, yield* Clock.currentTimeMillis) + sessionLifetime
    visits.push({ ...known, token, endsAt, isClosed: false, mayContinue: false })
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
const visitOf = (outside: Outside, visits: ReadonlyArray<Visit>): Action | undefined => {
  const chosen = outside.chance(0.6) ? visits.at(-1) : outside.pick(visits)
  if (chosen === undefined) return undefined
  const isRevoked = outside.revoked.has(chosen.keyId)
  if (outside.chance(0.7)) return { name: `visit ${chosen.keyId}`, run: look(chosen, isRevoked) }
  const close = Effect.gen(function* () {
    yield* (yield* Sessions).close(chosen.token)
    chosen.isClosed = true
  })
  return { name: `sign out ${chosen.keyId}`, run: close }
}

/** The owner replaces the key on its page, where the session continues with the new secret. */
const rotateOnPage = (outside: Outside, visits: ReadonlyArray<Visit>, known: Known): Action | undefined => {
  const visit = outside.pick(visits.filter(({ keyId }) => keyId === known.keyId))
  if (visit === undefined) return undefined
  visit.mayContinue = true
  return rotate(outside, known, (secret) =>
    Effect.flatMap(Sessions, ({ continueWith }) => continueWith(visit.token, secret))
  )
}

/** While nothing else runs: a session exists only as long as the secret that opened it opens its key. */
const endOf = (visit: Visit, isRevoked: boolean): Action => ({
  name: `last visit ${visit.keyId}`,
  run: Effect.gen(function* () {
    if (!(yield* look(visit, isRevoked)) || visit.mayContinue) return
    const key = yield* Effect.result((yield* Authenticator).find(hashOf(visit.secret)))
    hold(key._tag === "Success", `A session of ${visit.keyId} continues without its secret`)
  })
})

/** The sessions of owners on the page of their key. */
export const account = {
  part: ({ outside }): Part => {
    const visits: Array<Visit> = []
    return {
      drawn: [
        { weight: 5, action: (known) => known && signIn(outside, visits, known) },
        { weight: 8, action: () => visitOf(outside, visits) },
        { weight: 1.5, action: (known) => known && rotateOnPage(outside, visits, known) }
      ],
      last: () => visits.map((visit) => endOf(visit, outside.revoked.has(visit.keyId)))
    }
  }
} as const satisfies SimulatedExtension
