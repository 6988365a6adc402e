import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { hashOf, hashOfText, hashToFind, isWellFormed, newSecret, shownPrefix } from "../../src/keys/KeySecrets.ts"

describe("the secret of a key", () => {
  it.effect("creates distinct secrets of the documented form", () =>
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const secrets = new Set<string>()
      for (let i = 0; i < 100; i++) {
        const secret = yield* newSecret(random, "production")
        assert.match(Redacted.value(secret), /^ofk_live_[0-9A-Za-z]{38}$/)
        assert.isTrue(isWellFormed(Redacted.value(secret), "production"))
        assert.isFalse(isWellFormed(Redacted.value(secret), "development"))
        secrets.add(Redacted.value(secret))
      }
      assert.strictEqual(secrets.size, 100)
      assert.match(Redacted.value(yield* newSecret(random, "development")), /^ofk_test_/)
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
  )

  it("verifies a secret by the CRC-32 of everything before it", () => {
    // CRC-32 of "ofk_test_" and 32 zeros is 3924024889 by zlib in Python, in base62 4HYo81.
    const body = `ofk_test_${"0".repeat(32)}`
    assert.isTrue(isWellFormed(`${body}4HYo81`, "test"))
  })

  it("refuses a secret of another length or form even if its checksum is right", () => {
    // As above, by zlib in Python: a zero less, one more, a hyphen last, a hyphen first, and another prefix.
    for (const wrong of [
      `ofk_test_${"0".repeat(31)}2cRMUi`,
      `ofk_test_${"0".repeat(33)}38Owi7`,
      `ofk_test_${"0".repeat(31)}-2Xhjua`,
      `ofk_test_-${"0".repeat(31)}2mZjJE`,
      `ofk_xxxx_${"0".repeat(32)}1NLXEj`
    ]) {
      assert.isFalse(isWellFormed(wrong, "test"), wrong)
    }
  })

  it.effect("detects every single mistyped character", () =>
    Effect.gen(function* () {
      const secret = Redacted.value(yield* newSecret(yield* SecureRandom.SecureRandom, "test"))
      for (let at = 0; at < secret.length; at++) {
        const other = secret[at] === "x" ? "y" : "x"
        const mistyped = secret.slice(0, at) + other + secret.slice(at + 1)
        assert.isFalse(isWellFormed(mistyped, "test"), mistyped)
      }
      for (const wrong of [
        "",
        "demo",
        secret.slice(1),
        `${secret}0`,
        ` ${secret}`,
        secret.toLowerCase(),
        `${secret}\n`
      ]) {
        assert.isFalse(isWellFormed(wrong, "test"))
      }
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
  )

  it("shows too little of a secret to guess it", () => {
    const secret = Redacted.make(`ofk_test_${"a".repeat(38)}`)
    assert.strictEqual(shownPrefix(secret, "test"), "ofk_test_aaaaaaaa")
  })

  it.effect(
    "has a hash to look it up by, unless it cannot be one of ours; the demo key is one where there is one",
    () =>
      Effect.gen(function* () {
        const secret = yield* newSecret(yield* SecureRandom.SecureRandom, "test")
        const demo = Redacted.make("demo")
        const none = { environment: "test", demoKey: Option.none() } as const
        const some = { ...none, demoKey: Option.some({ secret: demo, credits: 100 }) }
        const outcome = (...given: Parameters<typeof hashToFind>) =>
          Result.merge(Result.mapError(hashToFind(...given), ({ _tag }) => _tag))
        for (const settings of [none, some]) {
          assert.strictEqual(outcome(secret, settings), hashOf(secret))
          assert.strictEqual(outcome(Redacted.make(""), settings), "MissingKey")
          assert.strictEqual(outcome(Redacted.make(`${Redacted.value(secret)}x`), settings), "InvalidKey")
          assert.strictEqual(outcome(Redacted.make("demo2"), settings), "InvalidKey")
          assert.strictEqual(outcome(secret, { ...settings, environment: "production" }), "InvalidKey")
        }
        assert.strictEqual(outcome(demo, none), "InvalidKey")
        assert.strictEqual(outcome(demo, some), hashOf(demo))
      }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
  )

  it("hashes with SHA-256", () => {
    const hash = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea"
    assert.strictEqual(hashOf(Redacted.make("demo")), hash)
    assert.strictEqual(hashOfText("demo"), hash)
  })
})
