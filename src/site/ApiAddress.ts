import { Effect, Option, Redacted } from "effect"
import { PublicUrl } from "../http/PublicUrl.ts"
import { Settings } from "../Settings.ts"

/** The service that the examples on its pages call. */
export interface ApiAddress {
  /** Where the service is, without a trailing slash. */
  readonly baseUrl: string
  /** Whether the key `demo` is accepted. */
  readonly hasDemoKey: boolean
}

/** The address of this service. */
export const apiAddress: Effect.Effect<ApiAddress, never, Settings | PublicUrl> = Effect.gen(function* () {
  const { demoKey } = yield* Settings
  const hasDemoKey = Option.exists(demoKey, ({ secret }) => Redacted.value(secret) === "demo")
  return { baseUrl: yield* PublicUrl, hasDemoKey }
})
