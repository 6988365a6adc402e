import { hash } from "node:crypto"
import { crc32 } from "node:zlib"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Environment } from "../settings/Environment.ts"

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const randomLength = 32
const checksumLength = 6
const shownLength = 8

/**
 * The first characters of every secret of an environment: live keys work only in production, test keys only elsewhere.
 */
const prefixOf = (environment: Environment) => (environment === "production" ? "ofk_live_" : "ofk_test_")

/** Creates a function that returns `length` random base62 characters, uniformly distributed. */
export const makeRandomBase62 = Effect.map(SecureRandom.SecureRandom, ({ intBetween }) => {
  const digit = Effect.map(intBetween(0, digits.length, { halfOpen: true }), (index) => digits.charAt(index))
  return (length: number) => Effect.map(Effect.replicateEffect(digit, length), (chosen) => chosen.join(""))
})

const checksum = (text: string): string => {
  let rest = crc32(text)
  let encoded = ""
  for (let place = 0; place < checksumLength; place++) {
    encoded = digits.charAt(rest % digits.length) + encoded
    rest = Math.floor(rest / digits.length)
  }
  return encoded
}

/** Creates secrets: prefix, 32 random base62 characters, and the CRC-32 of both as 6 base62 characters. */
export const makeNewSecret = (environment: Environment) =>
  Effect.map(makeRandomBase62, (randomBase62) =>
    Effect.map(randomBase62(randomLength), (random) => {
      const body = `${prefixOf(environment)}${random}`
      return Redacted.make(`${body}${checksum(body)}`)
    })
  )

/** True if a text has the form and the checksum of a secret of this environment. */
export const isWellFormed = (text: string, environment: Environment): boolean => {
  const prefix = prefixOf(environment)
  const body = text.slice(0, -checksumLength)
  return (
    text.startsWith(prefix) &&
    body.length === prefix.length + randomLength &&
    /^[0-9A-Za-z]+$/.test(text.slice(prefix.length)) &&
    checksum(body) === text.slice(-checksumLength)
  )
}

/** Creates tokens for links and cookies: 256 random bits in base64url. Only their hashes are stored. */
export const makeNewToken = Effect.map(SecureRandom.SecureRandom, (random) =>
  Effect.map(random.randomBytes(32), (bytes) => Redacted.make(Buffer.from(bytes).toString("base64url")))
)

/** The SHA-256 of a secret in hexadecimal, which is stored instead of it. Secrets and tokens are random and need no salt. */
export const hashOf = (secret: Redacted.Redacted): string => hashOfText(Redacted.value(secret))

/** The same for a secret as it was sent. */
export const hashOfText = (text: string): string => hash("sha256", text, "hex")

/** The first characters of a secret: enough to distinguish keys, far too few to guess the rest. */
export const shownPrefix = (secret: Redacted.Redacted, environment: Environment): string =>
  Redacted.value(secret).slice(0, prefixOf(environment).length + shownLength)
