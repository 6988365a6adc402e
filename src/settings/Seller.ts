import { Effect, Option } from "effect"
import { check, text } from "./Variable.ts"

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
export const seller: Effect.Effect<Seller, never, Effect.Services<ReturnType<typeof text>>> = Effect.gen(function* () {
  return {
    name: yield* line("SELLER_NAME"),
    address: yield* text("SELLER_ADDRESS").pipe(
      Effect.map(Option.map((value) => value.trim())),
      // More lines would not fit on the page of a receipt.
      check(
        "SELLER_ADDRESS",
        (value: string) => /^[^\p{Cc}\p{Cs}]{1,100}(?:\r?\n[^\p{Cc}\p{Cs}]{1,100}){0,5}$/u.test(value),
        "have 1 to 6 lines of 1 to 100 characters"
      )
    ),
    taxNumber: yield* line("SELLER_TAX_NUMBER")
  }
})
