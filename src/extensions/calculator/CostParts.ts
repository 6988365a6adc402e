import { Result } from "effect"
import { amountBounds } from "../../campaign/NumberBounds.ts"
import { isCurrency, withSign } from "../../input/Currency.ts"
import { figure } from "../../text/Figures.ts"
import { readNumber, splitUnit, symbols } from "../tables/readNumber.ts"

/** The parts of a campaign's cost: hours at a rate, and amounts. */
export const costParts = [
  { name: "hours", label: "Hours of work", unit: "", example: "40" },
  { name: "rate", label: "Hourly rate", unit: "money", example: "40" },
  { name: "tools", label: "Tools", unit: "money", example: "300" },
  { name: "data", label: "Data", unit: "money", example: "200" },
  { name: "mailboxes", label: "Mailboxes", unit: "money", example: "100" }
] as const

type PartName = (typeof costParts)[number]["name"]
export type TypedParts = { readonly [name in PartName]?: string }

/** A part that cannot be read, and why. */
interface WrongPart {
  readonly name: PartName
  readonly message: string
}

/**
 * Adds up the parts of a cost, with the sign of the currency that one of them has; undefined if all are empty. Fails
 * with the first part that is not a number.
 */
export const sumOfParts = (typed: TypedParts): Result.Result<string | undefined, WrongPart> => {
  const values = { hours: 0, rate: 0, tools: 0, data: 0, mailboxes: 0 }
  let currency: string | undefined
  let isEmpty = true
  for (const { example, label, name, unit } of costParts) {
    const text = (typed[name] ?? "").trim()
    if (text === "") continue
    const reading = readNumber(text, amountBounds, example, unit)
    if (!("value" in reading)) return Result.fail({ name, message: `${label} ${reading.fault}.` })
    if (reading.value < 0) return Result.fail({ name, message: `${label} must be at least 0.` })
    isEmpty = false
    values[name] = reading.value
    currency ??= splitUnit(symbols(text)).currency
  }
  if (isEmpty) return Result.succeed(undefined)
  const { data, hours, mailboxes, rate, tools } = values
  const sum = figure(Math.round((hours * rate + tools + data + mailboxes) * 100) / 100)
  return Result.succeed(withSign(sum, currency !== undefined && isCurrency(currency) ? currency : undefined))
}
