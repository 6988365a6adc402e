import { Effect, Option, Redacted } from "effect"
import type { CreditPack } from "./CreditPack.ts"
import { check, report, secret } from "./Variable.ts"

/** Access to a Stripe account: for calls to its API, and to verify its events. */
export interface StripeAccount {
  readonly secretKey: Redacted.Redacted
  readonly webhookSecret: Redacted.Redacted
}

/** Currencies whose minor unit at Stripe differs from ISO 4217. */
const unlikeStripe = ["ISK", "MGA", "UGX"]

const anyOf = new Intl.ListFormat("en-GB", { type: "disjunction" })

const matches = (pattern: RegExp) => (secret: Redacted.Redacted) => pattern.test(Redacted.value(secret))

/** Reads STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, which must be set together or not at all. */
export const stripeAccount = Effect.gen(function* () {
  const secretKey = yield* secret("STRIPE_SECRET_KEY").pipe(
    check("STRIPE_SECRET_KEY", matches(/^[rs]k_\S+$/), "be a secret or restricted key, like sk_live_…")
  )
  const webhookSecret = yield* secret("STRIPE_WEBHOOK_SECRET").pipe(
    check("STRIPE_WEBHOOK_SECRET", matches(/^whsec_\S+$/), "be the signing secret of the webhook, like whsec_…")
  )
  if (Option.isSome(secretKey) !== Option.isSome(webhookSecret)) {
    yield* report("STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together, or neither of them")
  }
  return Option.all({ secretKey, webhookSecret })
})

/** Reports packs in a currency for which Stripe would charge a different amount. */
export const checkCurrencies = (settings: {
  readonly creditPacks: ReadonlyArray<CreditPack>
  readonly stripe: Option.Option<StripeAccount>
}) =>
  Option.isSome(settings.stripe) && settings.creditPacks.some(({ currency }) => unlikeStripe.includes(currency))
    ? report(
        `CREDIT_PACKS must not be priced in ${anyOf.format(unlikeStripe)} with Stripe, which counts these currencies in other units`
      )
    : Effect.void
