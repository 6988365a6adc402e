import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"

/** A new random text that a form sends with what it asks for, so that the same form sent twice has one effect. */
export const newFormKey = Effect.map(SecureRandom.SecureRandom, (random) =>
  Effect.map(random.randomBytes(16), (bytes) => Buffer.from(bytes).toString("base64url"))
)

/** Whether a text has the form of such a key; other texts do not identify a form. */
export const isFormKey = (text: string): boolean => /^[\w-]{22}$/.test(text)
