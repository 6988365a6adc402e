import { Effect, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"

type Random = SecureRandom.SecureRandom["Service"]

/** The digits of base62, by value. */
export const base62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Creates a text of `length` random base62 characters, uniformly distributed. */
export const randomBase62 = ({ intBetween }: Random, length: number): Effect.Effect<string> => {
  const digit = Effect.map(intBetween(0, base62Digits.length, { halfOpen: true }), (index) =>
    base62Digits.charAt(index)
  )
  return Effect.map(Effect.replicateEffect(digit, length), (chosen) => chosen.join(""))
}

/** Creates a token for a link or a cookie: 256 random bits in base64url. Only its hash is stored. */
export const newToken = ({ randomBytes }: Random): Effect.Effect<Redacted.Redacted> =>
  Effect.map(randomBytes(32), (bytes) => Redacted.make(Buffer.from(bytes).toString("base64url")))
