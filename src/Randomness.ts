import { randomFillSync } from "node:crypto"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

/** The number of bytes read from the system at a time. */
const poolSize = 4096

/** The system's secure random bytes, read ahead in blocks: a request needs only a few, and each read is expensive. */
export const layer = Layer.sync(SecureRandom.SecureRandom, () => {
  const pool = new Uint8Array(poolSize)
  let used = poolSize
  return SecureRandom.make((size) => {
    if (size > poolSize) return randomFillSync(new Uint8Array(size))
    if (used + size > poolSize) {
      randomFillSync(pool)
      used = 0
    }
    const bytes = pool.slice(used, used + size)
    // The returned bytes become secrets, and must not be kept here.
    pool.fill(0, used, used + size)
    used += size
    return bytes
  })
})

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
