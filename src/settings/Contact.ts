import { Effect, Option } from "effect"
import { isMailAddress } from "./MailSettings.ts"
import { check, text } from "./Variable.ts"

/** Information for buyers besides prices: how to pay, whom to ask, and the terms. */
export interface Contact {
  /** The text after the amount and the reference, such as the account to pay into. */
  readonly paymentInstructions: Option.Option<string>
  readonly supportEmail: Option.Option<string>
  /** The page of the seller with the terms of sale and how refunds work. */
  readonly termsUrl: Option.Option<string>
}

/** The most characters of PAYMENT_INSTRUCTIONS. */
const longest = 2000

/** Postgres cannot store NUL, and of the control characters only line breaks and tabs have a meaning in an email. */
const isReadable = (instructions: string) =>
  instructions.length <= longest && /^[^\p{Cc}\p{Cs}]+$/u.test(instructions.replaceAll(/[\r\n\t]/g, " "))

const isAddress = (email: string) => isMailAddress(email) && email.length <= 254

const isPage = (url: string) => url.length <= 500 && /^https:\/\/[^\s\p{Cc}"<>@]+$/u.test(url) && URL.canParse(url)

/** Reads PAYMENT_INSTRUCTIONS, SUPPORT_EMAIL and TERMS_URL. */
export const contact = Effect.all({
  paymentInstructions: text("PAYMENT_INSTRUCTIONS").pipe(
    Effect.map(Option.map((instructions) => instructions.trim())),
    check(
      "PAYMENT_INSTRUCTIONS",
      isReadable,
      `have 1 to ${longest} characters, and no control characters other than line breaks and tabs`
    )
  ),
  supportEmail: text("SUPPORT_EMAIL").pipe(check("SUPPORT_EMAIL", isAddress, "be an address like help@example.com")),
  termsUrl: text("TERMS_URL").pipe(
    check("TERMS_URL", isPage, "be the https address of a page, like https://example.com/terms")
  )
})
