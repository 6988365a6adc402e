import { historyField } from "../history/Fragment.ts"
import type { BigDecimal } from "effect"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { fieldNames } from "../../campaign/Fields.ts"
import { showExact } from "../../forecast/Decimal.ts"
import { emailsLeftOf, type Flight } from "../readFlight.ts"
import { type ClientCall, codeSamples, type Member } from "../../http/document/CodeSamples.ts"
import { forecastCall, goalCall, listCall, progressCall } from "../../metering/calls.ts"
import type { ApiAddress } from "../../site/ApiAddress.ts"
import type { CalculatorInput, NamedCampaign } from "../readForm.ts"

const numberText = (value: BigDecimal.BigDecimal): string => showExact(value).replaceAll(",", "")

const object = (members: ReadonlyArray<Member>): string =>
  `{${members.map(([name, json]) => `"${name}": ${json}`).join(", ")}}`

const historyOf = ({ history }: Assumptions): ReadonlyArray<Member> =>
  history === undefined
    ? []
    : [
        [
          historyField,
          `[\n      ${history
            .map(({ name, ...counts }) =>
              object([
                ...(name === undefined ? [] : [["name", JSON.stringify(name)] as const]),
                ...Object.entries(counts).map(([column, count]) => [column, String(count)] as const)
              ])
            )
            .join(",\n      ")}\n    ]`
        ]
      ]

/** A campaign without its history, which a list of campaigns shares. */
const campaignMembers = (assumptions: Assumptions): ReadonlyArray<Member> => [
  ...fieldNames.flatMap((name): ReadonlyArray<Member> => {
    const value = assumptions[name]
    return value === undefined ? [] : [[name, numberText(value)]]
  }),
  ...(assumptions.spread === undefined ? [] : [["spread", JSON.stringify(assumptions.spread)] as const])
]

const named = ({ assumptions, name }: NamedCampaign): string =>
  object([["name", JSON.stringify(name)], ...campaignMembers(assumptions)])

const countsOf = (counts: Readonly<Record<string, number>>): string =>
  object(Object.entries(counts).map(([name, count]) => [name, String(count)] as const))

/** The fields of a campaign in flight besides its plan. */
const flightMembers = ({ emailsLeft, open, soFar }: Flight, { emails_sent: planned }: Assumptions) => {
  const isOpen = Object.entries(open).filter(([, count]) => count > 0)
  return [
    ["so_far", countsOf(soFar)] as const,
    ...(isOpen.length === 0 ? [] : [["open", countsOf(Object.fromEntries(isOpen))] as const]),
    ...(emailsLeft === emailsLeftOf(planned, soFar) ? [] : [["emails_left", String(emailsLeft)] as const])
  ]
}

const goalMember = (goal: NonNullable<CalculatorInput["goal"]>): Member => [
  "goal",
  object([
    [goal.aim, numberText(goal.target)],
    ...(goal.chance === undefined ? [] : [["chance", numberText(goal.chance)] as const])
  ])
]

const callsFor = ({ first, flight, goal, second }: CalculatorInput): ReadonlyArray<ClientCall> => {
  const { assumptions } = first
  const body = [...campaignMembers(assumptions), ...historyOf(assumptions)]
  const campaigns = second && `[\n      ${named(first)},\n      ${named(second)}\n    ]`
  return [
    { ...forecastCall, body },
    ...(goal === undefined ? [] : [{ ...goalCall, body: [goalMember(goal), ...body] }]),
    ...(flight === undefined ? [] : [{ ...progressCall, body: [...body, ...flightMembers(flight, assumptions)] }]),
    ...(campaigns === undefined
      ? []
      : [{ ...listCall, body: [["campaigns", campaigns] as const, ...historyOf(assumptions)] }])
  ]
}

/** The API calls for the page's exact numbers. */
export const snippets = (input: CalculatorInput, { baseUrl, hasDemoKey }: ApiAddress): ReturnType<typeof codeSamples> =>
  codeSamples(callsFor(input), { baseUrl, key: hasDemoKey ? "demo" : undefined })
