import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

/** The digits of base62, by value. */
export const base62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Creates a function that returns `length` random base62 characters, uniformly distributed. */
export const makeRandomBase62 = Effect.map(SecureRandom.SecureRandom, ({ intBetween }) => {
  const digit = Effect.map(intBetween(0, base62Digits.length, { halfOpen: true }), (index) =>
    base62Digits.charAt(index)
  )
  return (length: number) => Effect.map(Effect.replicateEffect(digit, length), (chosen) => chosen.join(""))
})

/** Creates tokens for links and cookies: 256 random bits in base64url. Only their hashes are stored. */
export const makeNewToken = Effect.map(SecureRandom.SecureRandom, (random) =>
  Effect.map(random.randomBytes(32), (bytes) => Redacted.make(Buffer.from(bytes).toString("base64url")))
)
