import { Effect, FileSystem, Option, Predicate, Result, Stdio, Stream } from "effect"
import { Flag } from "effect/cli"
import { type Assumptions, aliases, decodeAssumptions } from "../forecast/Assumptions.ts"
import { type ExactJson, NumberLiteral, parseExactJson } from "../input/ExactJson.ts"
import type { InvalidInput } from "../input/InvalidInput.ts"
import { InvalidInvocation } from "./UserFailures.ts"

const number = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withMetavar("NUMBER"), Flag.optional)

const numberFlags = {
  emails_sent: number("emails-sent", "Number of emails sent"),
  delivery_rate: number(
    "delivery-rate",
    "Percentage of emails that are delivered; the reply rate then applies to these"
  ),
  reply_rate: number("reply-rate", "Percentage of emails that get a reply (5 means 5 percent)"),
  positive_reply_rate: number("positive-reply-rate", "Percentage of replies that are positive"),
  meeting_booking_rate: number("meeting-booking-rate", "Percentage of positive replies that become meetings"),
  show_rate: number("show-rate", "Percentage of meetings that are held; the close rate then applies to these"),
  close_rate: number("close-rate", "Percentage of meetings that become clients"),
  average_deal_value: number("average-deal-value", "Revenue per client"),
  campaign_cost: number("campaign-cost", "Total cost of the campaign"),
  emails_per_contact: number("emails-per-contact", "How many emails each contact gets, including follow-ups")
}

/** The flags that describe a campaign, in the order of its funnel. */
export const campaignFlags = {
  ...numberFlags,
  evidence: Flag.String("evidence").pipe(
    Flag.withDescription("What a rate was measured on, such as reply_rate=31/800; repeat for each rate"),
    Flag.withMetavar("RATE=OBSERVED/OUT_OF"),
    Flag.atLeast(0)
  ),
  file: Flag.String("file").pipe(
    Flag.withAlias("f"),
    Flag.withDescription("JSON file with the fields of the API, or - for standard input; flags override its fields"),
    Flag.withMetavar("FILE"),
    Flag.optional
  )
}

/** The values of the flags that describe a campaign. */
export type CampaignGiven = { readonly [name in keyof typeof numberFlags]: Option.Option<string> } & {
  readonly evidence: ReadonlyArray<string>
  readonly file: Option.Option<string>
}

const numberForm = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/** Whether a text is a number as JSON has them. */
export const isNumber = (text: string): boolean => numberForm.test(text)

/** A text as a JSON number; one that is not a number stays text, and is rejected as such. */
export const numberOrText = (text: string, ordinal = 0): NumberLiteral | string =>
  isNumber(text) ? new NumberLiteral(text, ordinal) : text

/** The flags that are set, as JSON. */
export const givenNumbers = (given: { readonly [name: string]: Option.Option<string> }) =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value], ordinal) =>
      Option.isNone(value) ? [] : [[name, numberOrText(value.value, ordinal)]]
    )
  )

const evidenceForm = /^([\w-]+)=(\d+)\/(\d+)$/

const readEvidence = (texts: ReadonlyArray<string>): Result.Result<Record<string, unknown>, InvalidInvocation> => {
  const evidence: Record<string, unknown> = {}
  for (const text of texts) {
    const [, name = "", observed = "", outOf = ""] = evidenceForm.exec(text) ?? []
    const rate = name.replaceAll("-", "_")
    if (rate === "") {
      return Result.fail(
        new InvalidInvocation({
          message: `--evidence ${text} cannot be read: write how many you counted and out of how many, such as --evidence reply_rate=31/800`
        })
      )
    }
    if (rate in evidence) {
      return Result.fail(new InvalidInvocation({ message: `--evidence has ${rate} more than once; keep one` }))
    }
    evidence[rate] = { observed: numberOrText(observed), out_of: numberOrText(outOf) }
  }
  return Result.succeed(evidence)
}

/** Reads a text file, or standard input where its name is `-`. Fails with a message that names it. */
export const readText = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const stdio = yield* Stdio.Stdio
  const content = file === "-" ? Stream.mkString(Stream.decodeText(stdio.stdin)) : files.readFileString(file)
  return yield* Effect.mapError(content, () => new InvalidInvocation({ message: `${file} cannot be read` }))
})

const readJson = Effect.fnUntraced(function* (file: string) {
  const text = yield* readText(file)
  return yield* Effect.fromResult(parseExactJson(text)).pipe(
    Effect.mapError(({ reason }) => new InvalidInvocation({ message: `${file} is not JSON: ${reason}` }))
  )
})

const noFile: ExactJson = { value: {}, duplicates: [] }

const objectOf = (value: unknown) =>
  Predicate.isObject(value) && !(value instanceof NumberLiteral) ? value : undefined

/**
 * The campaign of a command's flags, which override the fields of its file. Fails with InvalidInput, which lists all that is
 * wrong with its fields, or with InvalidInvocation where the file or a piece of evidence cannot be read.
 */
export const readCampaign: (
  given: CampaignGiven
) => Effect.Effect<Assumptions, InvalidInput | InvalidInvocation, FileSystem.FileSystem | Stdio.Stdio> =
  Effect.fnUntraced(function* ({ evidence, file, ...numbers }) {
    const { duplicates, value } = Option.isSome(file) ? yield* readJson(file.value) : noFile
    const measured = yield* Effect.fromResult(readEvidence(evidence))
    const fields = objectOf(value)
    const overrides = {
      ...givenNumbers(numbers),
      ...(evidence.length === 0 ? {} : { evidence: { ...objectOf(fields?.["evidence"]), ...measured } })
    }
    const isOverridden = (name: string) => (aliases.get(name) ?? name) in overrides
    const kept = Object.entries(fields ?? {}).filter(([name]) => !isOverridden(name))
    return yield* Effect.fromResult(
      decodeAssumptions({
        value: fields === undefined ? value : { ...Object.fromEntries(kept), ...overrides },
        duplicates: duplicates.filter((pointer) => !isOverridden(pointer.slice(1)))
      })
    )
  })
