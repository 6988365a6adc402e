import { isZero } from "../../forecast/Decimal.ts"
import { BigDecimal, Predicate, Record, type Result, Schema, SchemaTransformation, Struct } from "effect"
import { aliases, Assumptions, campaignChecks } from "../../campaign/Assumptions.ts"
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
import { optional } from "../../input/Schemas.ts"
import { contradictions, nothingOpen, openSteps } from "./DecidedCases.ts"

const example = {
  ...exampleRequest,
  so_far: { emails_sent: 2000, replies: 62, positive_replies: 14, meetings: 4, clients: 1 },
  open: { emails: 0, replies: 7, positive_replies: 4, meetings: 2 },
  emails_left: 3000
}

const total = (description: string, example: number) => boundedCount(pastCountBounds, description, example)

const undecided = (bounds: NumberBounds, description: string, example: number) =>
  optional(boundedCount(bounds, description, example))

const soFar = (name: PassedName) => {
  const { description, examples, rate } = passedAt(name)
  const condition = isOptional(rate) ? `; required with ${rate}, and only then` : ""
  return total(`${description}${condition}.`, examples.soFar)
}

const SoFarCounts = Schema.Struct({
  emails_sent: total("Emails sent so far.", 2000),
  ...Struct.mapPick(membersOf(passedNames, soFar), optionalPassed, optional)
}).annotate({
  identifier: "SoFar",
  description: "The results so far: whole numbers, none greater than the one before it.",
  examples: [example.so_far]
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
  examples: [example.open]
})

type Fields = Readonly<Record<string, unknown>>

/** The known fields that are given, as they were sent; null counts as missing. */
const given = (fields: unknown, known: Fields): Fields =>
  Predicate.isObject(fields)
    ? Record.filter(
        Record.map(known, (_, name) => fields[name]),
        Predicate.isNotNullish
      )
    : {}

/** The fields as they were sent, each valid by itself or not. */
interface Sent {
  readonly flight: Fields
  readonly soFar: Fields
  readonly open: Fields
}

const outOfRange = (pointer: string, message: string): FieldError => ({ pointer, code: "out_of_range", message })

/** Errors in counts of optional rates: a count without its rate, or a rate without its count. */
const checkOptionalRates = ({ flight, open, soFar }: Sent): ReadonlyArray<FieldError> =>
  optionalRates.flatMap((rate): ReadonlyArray<FieldError> => {
    const count = rates[rate].passed.name
    if (flight[rate] !== undefined) {
      return soFar[count] !== undefined || !Predicate.isObject(flight["so_far"])
        ? []
        : [{ pointer: `/so_far/${count}`, code: "required", message: `is required if the plan has a ${rate}` }]
    }
    const present = Object.entries({ so_far: soFar, open }).flatMap(([name, counts]) =>
      counts[count] === undefined ? [] : [`${name}.${count}`]
    )
    return present.length === 0
      ? []
      : [{ pointer: `/${rate}`, code: "required", message: `is required for ${present.join(" and ")}` }]
  })

/** Errors in the order of counts: none may be greater than the one before it. */
const checkRising = ({ soFar }: Sent): ReadonlyArray<FieldError> =>
  risingCounts(Record.filter({ ...soFar }, Predicate.isNumber)).map(({ before, name }) =>
    outOfRange(`/so_far/${name}`, `must be at most ${before}`)
  )

/** Errors in open cases: at most those that have not reached the next count. */
const checkOpen = ({ flight, open: cases, soFar }: Sent): ReadonlyArray<FieldError> =>
  openSteps(flight).flatMap(({ from, open: name, to }) => {
    const [open, before, after] = [cases[name], soFar[from], soFar[to]]
    if (!Predicate.isNumber(open) || !Predicate.isNumber(before) || !Predicate.isNumber(after)) return []
    if (after > before || open <= before - after || open > emailsLeftBounds.maximum) return []
    return [outOfRange(`/open/${name}`, `must be at most ${before - after}: ${from} less ${to}`)]
  })

/** Errors in the total of open cases, which adds to the time that an answer takes. */
const checkOpenTotal = ({ open }: Sent): ReadonlyArray<FieldError> => {
  const counts = Object.values(open).filter(Predicate.isNumber)
  const { maximum } = emailsLeftBounds
  return Math.max(0, ...counts) <= maximum && counts.reduce((sum, count) => sum + count, 0) > maximum
    ? [outOfRange("/open", `must have counts that add up to at most ${maximum}`)]
    : []
}

const emailsLeftOf = (planned: number, sent: number) => Math.max(planned - sent, 0)

/** Errors in the default of emails_left. */
const checkEmailsLeft = ({ flight, soFar }: Sent): ReadonlyArray<FieldError> => {
  const [planned, sent] = [flight["emails_sent"], soFar["emails_sent"]]
  if (flight["emails_left"] !== undefined || !Predicate.isNumber(planned)) return []
  if (!Predicate.isNumber(sent) || !Number.isSafeInteger(sent)) return []
  const left = emailsLeftOf(planned, sent)
  const { maximum } = emailsLeftBounds
  return left > maximum
    ? [
        {
          pointer: "/emails_left",
          code: "required",
          message: `must be given, at most ${maximum}: the plan leaves ${left}`
        }
      ]
    : []
}

const Members = Schema.Struct({
  ...Assumptions.fields,
  so_far: SoFarCounts,
  open: optional(OpenCounts),
  emails_left: undecided(
    emailsLeftBounds,
    "Emails still to be sent. By default, emails_sent of the plan less those sent so far.",
    3000
  )
})

const Request = Schema.Struct({
  assumptions: Schema.toType(Schema.Struct(Assumptions.fields)),
  soFar: Schema.toType(SoFarCounts),
  open: Schema.Record(Schema.Literals(openNames), Schema.Int),
  emailsLeft: Schema.Int
})
export type ProgressRequest = typeof Request.Type

const requestOf = ({
  emails_left: emailsLeft,
  open,
  so_far: soFar,
  ...assumptions
}: typeof Members.Type): ProgressRequest => ({
  assumptions,
  soFar,
  open: { ...nothingOpen, ...open },
  emailsLeft: emailsLeft ?? emailsLeftOf(BigDecimal.toNumberUnsafe(assumptions.emails_sent), soFar.emails_sent)
})

/** The check that decided cases do not contradict a rate. */
const contradictionsCheck = Schema.makeFilter(
  (fields: typeof Members.Type) => {
    const { assumptions, ...counts } = requestOf(fields)
    return contradictions({ plan: assumptions, ...counts }).map(({ cases, from, passed, planned, rate, to }) => ({
      path: [rate],
      issue: `cannot be ${isZero(planned) ? 0 : 100}%: so far it is ${passed} of ${cases} (${to} of decided ${from})`
    }))
  },
  { code: "out_of_range", message: "is contradicted by the decided cases" }
)

/**
 * A campaign that is partly sent: its plan, its results so far, its open cases, and the emails still to be sent.
 * Encoded, they are the fields of a forecast, and the results so far.
 */
export const ProgressRequest = Members.check(...campaignChecks, contradictionsCheck).pipe(
  Schema.annotateEncoded({
    identifier: "ProgressRequest",
    description:
      "The plan of a campaign, as for a forecast, and its results so far. It may include a history of other campaigns: " +
      "so_far holds the results of this one.",
    examples: [example]
  }),
  Schema.decodeTo(
    Request,
    SchemaTransformation.transform<ProgressRequest, typeof Members.Type>({
      decode: requestOf,
      encode: ({ assumptions, emailsLeft, open, soFar }) => ({
        ...assumptions,
        so_far: soFar,
        // A count must be left out where the plan lacks its rate.
        open: Record.filter({ ...open }, (count) => count > 0),
        emails_left: emailsLeft
      })
    })
  )
)

const synonymOf = lookUpSynonym(countSynonyms)

/** The count that a synonym stands for, if any. */
const knownCount = (name: string): string | undefined =>
  Object.hasOwn(SoFarCounts.fields, name) ? name : synonymOf(name)

/** Advice on an unknown field of a campaign in flight, or of an object in it. */
const unknownAdvice = (name: string, within: string, value: unknown, siblings: unknown): string | undefined => {
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
  if (within !== "") return unknownFieldAdvice(name, within, value, siblings)
  const count = knownCount(name)
  return count === undefined
    ? unknownFieldAdvice(name, within, value, siblings)
    : `move it into so_far, like {"so_far": {"${count}": …}}`
}

/** Decodes a campaign in flight from a JSON object. Fails with InvalidInput, which lists every error. */
export const decodeProgressRequest: (json: unknown) => Result.Result<ProgressRequest, InvalidInput> = decodeFields(
  ProgressRequest,
  {
    aliases,
    unknown: unknownAdvice,
    check: (fields) => {
      const flight = given(fields, Members.fields)
      const sent = {
        flight,
        soFar: given(flight["so_far"], SoFarCounts.fields),
        open: given(flight["open"], OpenCounts.fields)
      }
      return [checkOptionalRates, checkRising, checkOpen, checkOpenTotal, checkEmailsLeft].flatMap((check) =>
        check(sent)
      )
    }
  }
)

/** The campaign in flight that the reference shows as its example. */
export const exampleInFlight = Schema.decodeSync(ProgressRequest)(example)
