import { Option, Effect, Redacted, DateTime } from "effect"
import type { Contact } from "./Contact.ts"
import { readAddress, type Sender } from "./MailSettings.ts"
import { check, text, report, secret } from "./Variable.ts"
import type { CreditPack } from "./CreditPack.ts"

/** The settings that decide how credits are paid. */
export interface PaymentSettings {
  readonly contact: Contact
  readonly environment: string
  readonly mailFrom: Sender
  readonly stripe: Option.Option<unknown>
}

/** The state of ordering on the pages: open or not; without a way to pay, a notice for buyers or whom to write to. */
export interface Ordering {
  readonly isOpen: boolean
  readonly notice?: string
  readonly writeTo?: string
  /** The page with the terms and how refunds work. */
  readonly termsUrl?: string
}

/** True if credits can be ordered although there is no way to pay: nothing is charged. */
export const isTrial = ({ isOpen, notice }: Ordering): boolean => isOpen && notice !== undefined

/**
 * Ordering on the pages. In production, without a way to pay or a contact to ask about one, an order would lead
 * nowhere; elsewhere it can still be tried.
 */
export const orderingOf = ({ contact, environment, mailFrom, stripe }: PaymentSettings): Ordering => {
  const { paymentInstructions, supportEmail } = contact
  const terms = Option.match(contact.termsUrl, { onNone: () => ({}), onSome: (termsUrl) => ({ termsUrl }) })
  if (Option.isSome(stripe) || Option.isSome(paymentInstructions)) return { isOpen: true, ...terms }
  if (Option.isSome(supportEmail)) return { isOpen: false, writeTo: supportEmail.value, ...terms }
  if (environment !== "production") {
    return {
      isOpen: true,
      notice: "This service is a trial: nothing is charged, and its operator adds the credits.",
      ...terms
    }
  }
  const writeTo = readAddress(mailFrom)
  return {
    isOpen: false,
    ...(writeTo === undefined ? { notice: "Credits are not on sale here yet." } : { writeTo }),
    ...terms
  }
}

/** The seller of credits on receipts. */
export interface Seller {
  readonly name: Option.Option<string>
  /** May have several lines. */
  readonly address: Option.Option<string>
  /** Includes the kind of number, such as `VAT ID DE123456789`. */
  readonly taxNumber: Option.Option<string>
}

const line = (name: string) =>
  text(name).pipe(
    Effect.map(Option.map((value) => value.trim())),
    check(name, (value: string) => /^[^\p{Cc}\p{Cs}]{1,100}$/u.test(value), "have 1 to 100 characters on one line")
  )

/** Reads SELLER_NAME, SELLER_ADDRESS and SELLER_TAX_NUMBER. */
export const seller = Effect.all({
  name: line("SELLER_NAME"),
  address: text("SELLER_ADDRESS").pipe(
    Effect.map(Option.map((value) => value.trim())),
    // More lines would not fit on the page of a receipt.
    check(
      "SELLER_ADDRESS",
      (value: string) => /^[^\p{Cc}\p{Cs}]{1,100}(?:\r?\n[^\p{Cc}\p{Cs}]{1,100}){0,5}$/u.test(value),
      "have 1 to 6 lines of 1 to 100 characters"
    )
  ),
  taxNumber: line("SELLER_TAX_NUMBER")
})

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

/** True if a text is an existing date, like 2026-11-21 but not 2026-02-30. */
export const isDate = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  Option.exists(DateTime.make(`${text}T00:00:00Z`), (time) => DateTime.formatIsoDateUtc(time) === text)

/** Parses dates like 2026-12-25, separated by commas; none if one of them is not a date. */
export const parseHolidays = (text: string): Option.Option<ReadonlySet<string>> => {
  const dates = text.split(",").map((date) => date.trim())
  return dates.every(isDate) ? Option.some(new Set(dates)) : Option.none()
}
