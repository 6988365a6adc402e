import { BigDecimal } from "effect"
import { Assumptions } from "../campaign/Assumptions.ts"
import type { Goal } from "./goals/GoalTarget.ts"
import { PastCampaigns } from "../campaign/PastCampaigns.ts"
import { countNames, openNames } from "../campaign/Rates.ts"
import type { ProgressRequest } from "./progress/ProgressRequest.ts"

/** The members of a JSON object, without those that are undefined. */
const objectOf = (members: ReadonlyArray<readonly [name: string, text: string | undefined]>): string =>
  `{${members.flatMap(([name, text]) => (text === undefined ? [] : [`"${name}":${text}`])).join(",")}}`

const numberOf = (value: BigDecimal.BigDecimal | undefined): string | undefined =>
  value === undefined ? undefined : BigDecimal.format(value)

const pastNames = Object.keys(PastCampaigns.value.fields)

/** The JSON text of a history: its rows with their members in a fixed order. */
export const canonicalHistory = (history: PastCampaigns): string => JSON.stringify(history, pastNames)

const membersOf = ({ history, spread, ...numbers }: Assumptions) => {
  const values: Readonly<Partial<Record<string, BigDecimal.BigDecimal>>> = numbers
  return [
    ...Object.keys(Assumptions.fields).map((name) => [name, numberOf(values[name])] as const),
    // The default is the same as a missing field.
    ["spread", spread === "none" ? '"none"' : undefined] as const,
    ["history", history && canonicalHistory(history)] as const
  ]
}

/**
 * A JSON text that is the same for equal assumptions, however they were spelled, and different for others: name and
 * exact value of each field that is present, in a fixed order. So a new field changes nothing for callers that do not
 * send it.
 */
export const canonicalText = (assumptions: Assumptions): string => objectOf(membersOf(assumptions))

/** Like `canonicalText`, for a campaign with a name. */
export const canonicalCampaign = ({ name, ...assumptions }: Assumptions & { readonly name?: string }): string =>
  objectOf([["name", name === undefined ? undefined : JSON.stringify(name)], ...membersOf(assumptions)])

/** Like `canonicalText`, for a campaign and its goal. */
export const canonicalGoal = (assumptions: Assumptions, { aim, chance, target }: Goal): string => {
  const goal = objectOf([
    [aim, BigDecimal.format(target)],
    ["chance", numberOf(chance)]
  ])
  return objectOf([...membersOf(assumptions), ["goal", goal]])
}

/** Like `canonicalText`, for a campaign in flight. */
export const canonicalProgress = ({ assumptions, emailsLeft, open, soFar }: ProgressRequest): string =>
  objectOf([
    ...membersOf(assumptions),
    ["so_far", JSON.stringify(soFar, [...countNames])],
    // 0 is the same as a missing field.
    ["open", objectOf(openNames.map((name) => [name, open[name] === 0 ? undefined : String(open[name])]))],
    ["emails_left", String(emailsLeft)]
  ])
