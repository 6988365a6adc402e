import { Array as Arr, Effect, identity, Option, Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Credits } from "../credits/Credits.ts"
import { adjustCredits, type Adjustment, type AdjustmentServices } from "./adjustCredits.ts"
import { ApiKeys } from "../keys/ApiKeys.ts"
import type { CommandDatabase } from "../cli/CommandDatabase.ts"
import { keyName } from "../cli/Parameters.ts"
import { fields, json, print, printStream } from "../cli/Printing.ts"
import { isoTime } from "../text/Times.ts"

const maximum = 1_000_000_000

/** An integer in decimal digits that matches `pattern`; `expected` completes the message "must be …". */
const integer = (pattern: RegExp, expected: string) =>
  Schema.String.check(
    Schema.makeFilter((text) => pattern.test(text) && Number(text) !== 0 && Math.abs(Number(text)) <= maximum, {
      message: `must be ${expected}`
    })
  ).pipe(Schema.decodeTo(Schema.FiniteFromString))

const maxLength = 200

const oneLine = Schema.Trim.check(
  Schema.makeFilter((text) => text !== "" && text.length <= maxLength && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), {
    message: `must be 1 to ${maxLength} characters on one line`
  })
)

const changeFlags = {
  key: keyName,
  reason: Flag.String("reason").pipe(
    Flag.withDescription("The reason, for the key's audit log"),
    Flag.withSchema(oneLine)
  ),
  reference: Flag.String("reference").pipe(
    Flag.withDescription("Makes a retry safe: a reference changes the credits only once"),
    Flag.withSchema(oneLine),
    Flag.optional
  ),
  json
}

/** A command that changes credits by the number in its last argument. */
const change = <Name extends string>(
  name: Name,
  action: Adjustment["action"],
  delta: Argument.Argument<number>,
  description: string
) =>
  Command.make(
    name,
    { ...changeFlags, delta },
    Effect.fnUntraced(function* ({ delta, json, key, reason, reference }) {
      const adjustment = { action, delta, reason, reference: Option.getOrUndefined(reference) }
      const made = yield* adjustCredits(key, adjustment)
      const shown = {
        id: made.key.id,
        prefix: made.key.secretPrefix,
        time: isoTime(made.entry.createdAt),
        delta: made.entry.delta,
        balance_after: made.entry.balanceAfter,
        reference: made.entry.reference
      }
      const before = made.wasMadeBefore ? "\n\nThis change had already been made; nothing was changed." : ""
      yield* print(json, { ...shown, was_made_before: made.wasMadeBefore }, `${fields(shown)}${before}`)
    })
  ).pipe(Command.withDescription(description))

const grant = change(
  "grant",
  "credits_granted",
  Argument.String("amount").pipe(
    Argument.withDescription("The number of credits to add"),
    Argument.withSchema(integer(/^\d+$/, `an integer from 1 to ${maximum}`))
  ),
  "Grant credits to a key."
)

const adjust = change(
  "adjust",
  "credits_adjusted",
  Argument.String("delta").pipe(
    Argument.withDescription("The number of credits to add or, with a minus sign, to remove"),
    Argument.withSchema(integer(/^[+-]?\d+$/, `an integer from -${maximum} to ${maximum}, and not 0`))
  ),
  "Correct a key's credits, up or down, but never below 0."
)

const Month = Schema.String.check(
  Schema.isPattern(/^\d{4}-(0[1-9]|1[0-2])$/, { message: "must be a month such as 2026-11" })
)

const usage = Command.make(
  "usage",
  {
    key: keyName.pipe(Argument.optional),
    month: Flag.String("month").pipe(
      Flag.withDescription("Only this month (UTC), such as 2026-11"),
      Flag.withSchema(Month),
      Flag.optional
    ),
    json
  },
  Effect.fnUntraced(function* ({ json, key: name, month: only }) {
    const apiKeys = yield* ApiKeys
    const credits = yield* Credits
    const keys = Option.match(name, {
      onNone: () => apiKeys.list,
      onSome: (text) => Stream.fromEffect(apiKeys.find(text))
    })
    const rows = keys.pipe(
      Stream.chunks,
      Stream.mapEffect((some) =>
        Effect.map(credits.usages(some.map(({ id }) => id)), (usages) =>
          Arr.zip(some, usages).flatMap(([{ id, owner, secretPrefix }, { months }]) =>
            months
              .filter(({ month }) => Option.getOrElse(only, () => month) === month)
              .map(({ month, requests }) => ({ id, prefix: secretPrefix, email: owner.email, month, requests }))
          )
        )
      ),
      Stream.flattenIterable
    )
    yield* printStream(json, rows, identity)
  })
).pipe(Command.withDescription("Show the successful forecasts of all keys, or of one, by month."))

/** `credits`: the operator's commands for credits. A change applies from the next request on. */
export const adjustmentCommand = ({ changes, reads }: CommandDatabase<AdjustmentServices | Credits>) =>
  Command.make("credits").pipe(
    Command.withDescription("Grant and adjust credits, and show usage."),
    Command.withSubcommands([changes(grant), changes(adjust), reads(usage)])
  )
