import { Predicate } from "effect"
import { type ClientCall, codeSamples, type Member } from "../../../http/document/CodeSamples.ts"
import { goalCall } from "../../goals/GoalCall.ts"
import { listCall } from "../../lists/ListCall.ts"
import { progressCall } from "../../progress/ProgressCall.ts"
import { forecastCall } from "../../../metering/OperationCall.ts"
import type { ApiAddress } from "../../../site/ApiAddress.ts"
import type { CalculatorInput } from "../readForm.ts"

/** A value as JSON on one line. */
const jsonOf = (value: unknown): string =>
  Predicate.isObject(value)
    ? `{${Object.entries(value)
        .map(([name, member]) => `"${name}": ${jsonOf(member)}`)
        .join(", ")}}`
    : JSON.stringify(value)

/** The members of a body; campaigns take a line each. */
const membersOf = (body: object): ReadonlyArray<Member> =>
  Object.entries(body).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? `[\n      ${value.map(jsonOf).join(",\n      ")}\n    ]` : jsonOf(value)
  ])

const callsFor = ({ first, request, second }: CalculatorInput): ReadonlyArray<ClientCall> => {
  const { flight, goal, past, plan, second: others } = request
  const campaigns = second && [
    { name: first.name, ...plan },
    { name: second.name, ...plan, ...others }
  ]
  return [
    { ...forecastCall, body: membersOf({ ...plan, ...past }) },
    ...(goal === undefined ? [] : [{ ...goalCall, body: membersOf({ goal, ...plan, ...past }) }]),
    ...("so_far" in flight ? [{ ...progressCall, body: membersOf({ ...plan, ...past, ...flight }) }] : []),
    ...(campaigns === undefined ? [] : [{ ...listCall, body: membersOf({ campaigns, ...past }) }])
  ]
}

/** The API calls for the page's exact numbers. */
export const snippets = (input: CalculatorInput, { baseUrl, hasDemoKey }: ApiAddress): ReturnType<typeof codeSamples> =>
  codeSamples(callsFor(input), { baseUrl, key: hasDemoKey ? "demo" : undefined })
