import { Array, Option } from "effect"
import type { FieldError } from "../input/InvalidInput.ts"
import { type CampaignGiven, isNumber } from "./CampaignInput.ts"
import { onOneLine } from "./Printing.ts"
import type { GoalGiven } from "./readGoal.ts"
import { fieldName, InvalidInvocation } from "./UserFailures.ts"

/** What to type for a number that is missing or wrong, in the order in which a line has them. */
const examples = {
  replies: "300",
  meetings: "20",
  clients: "4",
  revenue: "10000",
  profit: "9000",
  roi_multiple: "20",
  chance: "0.8",
  emails_sent: "5000",
  delivery_rate: "95",
  reply_rate: "5",
  positive_reply_rate: "30",
  meeting_booking_rate: "20",
  show_rate: "80",
  close_rate: "25",
  average_deal_value: "2500",
  campaign_cost: "600",
  emails_per_contact: "3"
} as const

const flagOf = (name: string) => `--${name.replaceAll("_", "-")}`

const subjectOf = ({ pointer }: FieldError): string => {
  const name = fieldName(pointer)
  return name in examples ? flagOf(name) : name
}

const listed = (names: ReadonlyArray<string>): string =>
  names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join()

/** One sentence with all that is wrong; what is wrong in the same way is said once. */
const sentenceOf = (errors: ReadonlyArray<FieldError>): string => {
  const clauses = Object.entries(Array.groupBy(errors, ({ message }) => message)).map(([message, group]) => {
    const verb = group.length > 1 ? message.replace(/^is /, "are ") : message
    return `${listed(group.map(subjectOf))} ${onOneLine(verb)}`
  })
  const sentence = clauses.join("; ")
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}

const quoted = (text: string) =>
  /^[\w./-]+$/.test(text) ? text : `'${onOneLine(text).replaceAll("'", String.raw`'\''`)}'`

/** The line to type instead: what was given and is right, and an example for each number that is wrong or missing. */
const lineOf = (
  errors: ReadonlyArray<FieldError>,
  { chance, ...aims }: GoalGiven,
  { evidence, file, ...numbers }: CampaignGiven
): string => {
  const wrong = new Set(errors.map(({ pointer }) => pointer.split("/")[1]))
  const given = new Map(
    Object.entries({ ...numbers, ...aims, chance }).flatMap(([name, value]) =>
      Option.isSome(value) && isNumber(value.value) ? [[name, value.value] as const] : []
    )
  )
  const [aim = "clients", ...others] = Object.keys(aims).filter((name) => given.has(name))
  const chosen = others.length === 0 ? aim : "clients"
  const words = Object.entries(examples).flatMap(([name, example]) => {
    if (name in aims && name !== chosen) return []
    const value = wrong.has(name) ? example : (given.get(name) ?? (name === chosen ? example : undefined))
    return value === undefined ? [] : [flagOf(name), value]
  })
  const from = Option.match(file, { onNone: () => [], onSome: (name) => ["--file", quoted(name)] })
  const measured = wrong.has("evidence") ? [] : evidence.flatMap((text) => ["--evidence", quoted(text)])
  return ["outreach-forecast", "goal", ...words, ...measured, ...from].join(" ")
}

/** What is wrong with the flags of `goal` as one sentence, and the line to type instead. */
export const goalProblem = (
  errors: ReadonlyArray<FieldError>,
  goal: GoalGiven,
  campaign: CampaignGiven
): InvalidInvocation =>
  new InvalidInvocation({ message: `${sentenceOf(errors)}\n  Type: ${lineOf(errors, goal, campaign)}` })

const required = ["emails_sent", "reply_rate", "positive_reply_rate", "meeting_booking_rate", "close_rate"] as const

/** A file or a piece of evidence that cannot be read, and the line to type without them. */
export const unreadable = (
  { message }: InvalidInvocation,
  errors: ReadonlyArray<FieldError>,
  goal: GoalGiven,
  campaign: CampaignGiven
): InvalidInvocation => {
  const missing = required
    .filter((name) => !Option.exists(campaign[name], isNumber))
    .map((name): FieldError => ({ pointer: `/${name}`, code: "required", message: "is required" }))
  const line = lineOf([...errors, ...missing], goal, { ...campaign, evidence: [], file: Option.none() })
  return new InvalidInvocation({ message: `${message}.\n  Type: ${line}` })
}
