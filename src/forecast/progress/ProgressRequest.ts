import { BigDecimal, Predicate, Result, Schema, Struct } from "effect"
import { aliases, Assumptions, checkTogether, exampleAssumptions } from "../../campaign/Assumptions.ts"
import { exampleRequest, membersOf } from "../../campaign/Fields.ts"
import { emailsLeftBounds, type NumberBounds, pastCountBounds } from "../../campaign/NumberBounds.ts"
import { boundedCount, risingCounts } from "../../campaign/PastCampaigns.ts"
import {
  countSynonyms,
  isOptional,
  lookUpSynonym,
  openAt,
  type OpenName,
  openNames,
  optionalPassed,
  optionalRates,
  passedAt,
  type PassedName,
  passedNames,
  rates
} from "../../campaign/Rates.ts"
import { unknownFieldAdvice } from "../../campaign/UnknownFields.ts"
import { decodeFields } from "../../input/decodeFields.ts"
import type { FieldError, InvalidInput } from "../../input/InvalidInput.ts"
import { requestSchema } from "../../input/requestSchema.ts"
import { contradictions, nothingOpen, openSteps } from "./InFlight.ts"

const exampleProgress = {
  so_far: { emails_sent: 2000, replies: 62, positive_replies: 14, meetings: 4, clients: 1 },
  open: { emails: 0, replies: 7, positive_replies: 4, meetings: 2 },
  emails_left: 3000
}

const total = (description: string, example: number) => boundedCount(pastCountBounds, description, example)

const undecided = (bounds: NumberBounds, description: string, example: number) =>
  Schema.optionalKey(boundedCount(bounds, description, example))

const soFar = (name: PassedName) => {
  const { description, examples, rate } = passedAt(name)
  const condition = isOptional(rate) ? `; required with ${rate}, and only then` : ""
  return total(`${description}${condition}.`, examples.soFar)
}

const SoFarCounts = Schema.Struct({
  emails_sent: total("Emails sent so far.", 2000),
  ...Struct.mapPick(membersOf(passedNames, soFar), optionalPassed, Schema.optionalKey)
}).annotate({
  identifier: "SoFar",
  description: "The results so far: whole numbers, none greater than the one before it.",
  wireExamples: [exampleProgress.so_far]
})

const open = (name: OpenName) => {
  const { description, example } = openAt(name)
  return undecided(emailsLeftBounds, description, example)
}

const OpenCounts = Schema.Struct(membersOf(openNames, open)).annotate({
  identifier: "OpenCounts",
  description:
    "The part of each count that is undecided, 0 by default: at most those that have not reached the next count. " +
    "All others count as decided.",
  wireExamples: [exampleProgress.open]
})

const ProgressFields = Schema.Struct({
  ...Assumptions.fields,
  so_far: SoFarCounts,
  open: Schema.optionalKey(OpenCounts),
  emails_left: undecided(
    emailsLeftBounds,
    "Emails still to be sent. By default, emails_sent of the plan less those sent so far.",
    3000
  )
})

/** A campaign that is partly sent: its plan, its results so far, its open cases, and the emails still to be sent. */
export const ProgressRequest = Schema.Struct({
  assumptions: Assumptions,
  soFar: SoFarCounts,
  open: Schema.Record(Schema.Literals(openNames), Schema.Int),
  emailsLeft: Schema.Int
})
export type ProgressRequest = typeof ProgressRequest.Type

/** The JSON object for a campaign in flight: the fields of a forecast, and its results so far. */
export const ProgressRequestBody = requestSchema(ProgressFields).annotate({
  identifier: "ProgressRequest",
  description:
    "The plan of a campaign, as for a forecast, and its results so far. It may include a history of other campaigns: " +
    "so_far holds the results of this one.",
  examples: [{ ...exampleRequest, ...exampleProgress }]
})

type Fields = Readonly<Record<string, unknown>>

const fieldOf = (fields: unknown, name: string): unknown =>
  Predicate.isObject(fields) ? Reflect.get(fields, name) : undefined

/** Errors in counts of optional rates: a count without its rate, or a rate without its count. */
const checkOptionalRates = (fields: Fields): ReadonlyArray<FieldError> =>
  optionalRates.flatMap((rate): ReadonlyArray<FieldError> => {
    const count = rates[rate].passed.name
    const within = (name: string) => fieldOf(fields[name], count) !== undefined
    if (fields[rate] !== undefined) {
      return within("so_far") || !Predicate.isObject(fields["so_far"])
        ? []
        : [{ pointer: `/so_far/${count}`, code: "required", message: `is required if the plan has ${rate}` }]
    }
    const present = ["so_far", "open"].filter(within).map((name) => `${name}.${count}`)
    return present.length === 0
      ? []
      : [{ pointer: `/${rate}`, code: "required", message: `is required if there is ${present.join(" and ")}` }]
  })

/** Errors in the order of counts: none may be greater than the one before it. */
const checkRising = (fields: Fields): ReadonlyArray<FieldError> => {
  const soFar = fields["so_far"]
  const numbers = Predicate.isObject(soFar)
    ? Object.entries(soFar).filter(([, count]) => Predicate.isNumber(count))
    : []
  return risingCounts(Object.fromEntries(numbers)).map(({ before, name }) => ({
    pointer: `/so_far/${name}`,
    code: "out_of_range",
    message: `must be at most ${before}`
  }))
}

/** Errors in open cases: at most those that have not reached the next count. */
const checkOpen = (fields: Fields): ReadonlyArray<FieldError> =>
  openSteps(fields).flatMap(({ from, open: name, to }): ReadonlyArray<FieldError> => {
    const open = fieldOf(fields["open"], name)
    const before = fieldOf(fields["so_far"], from)
    const after = fieldOf(fields["so_far"], to)
    if (!Predicate.isNumber(open) || !Predicate.isNumber(before) || !Predicate.isNumber(after)) return []
    if (after > before || open <= before - after || open > emailsLeftBounds.maximum) return []
    const message = `must be at most ${before - after}, ${from} less ${to}`
    return [{ pointer: `/open/${name}`, code: "out_of_range", message }]
  })

/** Errors in the total of open cases, which adds to the time that an answer takes. */
const checkOpenTotal = (fields: Fields): ReadonlyArray<FieldError> => {
  const open = fieldOf(fields, "open")
  const counts = Predicate.isObject(open) ? Object.values(open).filter(Predicate.isNumber) : []
  const { maximum } = emailsLeftBounds
  return Math.max(0, ...counts) <= maximum && counts.reduce((sum, count) => sum + count, 0) > maximum
    ? [{ pointer: "/open", code: "out_of_range", message: `must have counts that add up to at most ${maximum}` }]
    : []
}

const emailsLeftOf = (planned: number, sent: number) => Math.max(planned - sent, 0)

/** Errors in the default of emails_left. */
const checkEmailsLeft = (fields: Fields): ReadonlyArray<FieldError> => {
  const planned = fields["emails_sent"]
  const sent = fieldOf(fields["so_far"], "emails_sent")
  if (fields["emails_left"] !== undefined || !BigDecimal.isBigDecimal(planned)) return []
  if (!Predicate.isNumber(sent) || !Number.isSafeInteger(sent)) return []
  const left = emailsLeftOf(BigDecimal.toNumberUnsafe(planned), sent)
  const { maximum } = emailsLeftBounds
  const message = `leaves ${left} emails to send: send emails_left, at most ${maximum}`
  return left > maximum ? [{ pointer: "/emails_sent", code: "out_of_range", message }] : []
}

const requestOf = ({
  emails_left: emailsLeft,
  open,
  so_far: soFar,
  ...assumptions
}: typeof ProgressFields.Type): ProgressRequest => ({
  assumptions,
  soFar,
  open: { ...nothingOpen, ...open },
  emailsLeft: emailsLeft ?? emailsLeftOf(BigDecimal.toNumberUnsafe(assumptions.emails_sent), soFar.emails_sent)
})

/** Errors in rates that the decided cases contradict. */
const checkContradictions = ({ assumptions, ...counts }: ProgressRequest): ReadonlyArray<FieldError> =>
  contradictions({ plan: assumptions, ...counts }).map(({ cases, passed, planned, rate }) => ({
    pointer: `/${rate}`,
    code: "out_of_range",
    message: `cannot be ${planned.value === 0n ? 0 : 100}: so far ${passed} of ${cases} decided cases passed`
  }))

const synonymOf = lookUpSynonym(countSynonyms)

/** The count that a synonym stands for, if any. */
const knownCount = (name: string): string | undefined =>
  Object.hasOwn(SoFarCounts.fields, name) ? name : synonymOf(name)

/** Advice on an unknown field of a campaign in flight, or of an object in it. */
const unknownAdvice = (name: string, within: string, value: unknown): string | undefined => {
  if (within === "/so_far" || within === "/open") {
    if (/open|click/i.test(name)) return "leave it out: opens and clicks are not used"
    const word = knownCount(name)
    const known = within === "/open" && word === "emails_sent" ? "emails" : word
    if (known !== undefined && Object.hasOwn(within === "/open" ? OpenCounts.fields : SoFarCounts.fields, known)) {
      return `did you mean "${known}"?`
    }
    const parent = within.slice(1)
    return Object.hasOwn(Assumptions.fields, name) ? `move it out of ${parent}, next to it` : undefined
  }
  if (within !== "") return unknownFieldAdvice(name, within, value)
  const count = knownCount(name)
  return count === undefined
    ? unknownFieldAdvice(name, within, value)
    : `move it into so_far, like {"so_far": {"${count}": …}}`
}

const decode = decodeFields(ProgressFields, {
  aliases,
  unknown: unknownAdvice,
  check: (fields) => [
    ...checkOptionalRates(fields),
    ...checkRising(fields),
    ...checkOpen(fields),
    ...checkOpenTotal(fields),
    ...checkEmailsLeft(fields)
  ],
  checkTogether: (fields) => [...checkTogether(fields), ...checkContradictions(requestOf(fields))]
})

/** Decodes a campaign in flight from a JSON object. Fails with InvalidInput, which lists every error. */
export const decodeProgressRequest = (json: unknown): Result.Result<ProgressRequest, InvalidInput> =>
  Result.map(decode(json), requestOf)

/** The campaign in flight that the reference shows as its example. */
export const exampleInFlight: ProgressRequest = {
  assumptions: exampleAssumptions,
  soFar: exampleProgress.so_far,
  open: { ...nothingOpen, ...exampleProgress.open },
  emailsLeft: exampleProgress.emails_left
}
