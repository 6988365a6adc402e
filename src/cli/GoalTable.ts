import type { Assumptions } from "../forecast/Assumptions.ts"
import type { GoalAnswer } from "../forecast/outlook/Goals.ts"
import { type Goal, isMoney, peopleNeeded, wholePeople } from "../forecast/outlook/GoalTarget.ts"
import { labelledLevers } from "../forecast/outlook/leverLabels.ts"
import { ofHundred } from "../forecast/outlook/OfHundred.ts"
import { people } from "../Figures.ts"
import { figure, money, percent } from "./Figures.ts"
import { grid, wrap } from "./Layout.ts"

const singular = { replies: "reply", meetings: "meeting", clients: "client" } as const

/** So many people, or so much money, of what a goal aims at. */
const amountOf = (aim: Goal["aim"], amount: number): string => {
  if (aim === "roi_multiple") return `an ROI multiple of ${figure(amount)}`
  if (aim === "revenue" || aim === "profit") return `a ${aim} of ${money(amount)}`
  return `${people(amount)} ${amount === 1 ? singular[aim] : aim}`
}

const shows = { count: figure, rate: percent, money } as const

const leverTable = (needed: GoalAnswer["needed"], width: number): ReadonlyArray<string> => {
  const levers = labelledLevers(needed).map((lever) => ({ ...lever, show: shows[lever.kind] }))
  return grid(
    [
      { title: "", align: "left", cells: levers.map(({ label }) => label) },
      {
        title: "now",
        align: "right",
        cells: levers.map(({ current, show }) => (current === null ? "not given" : show(current)))
      },
      {
        title: "needed",
        align: "right",
        cells: levers.map(({ needed, show }) => (needed === null ? "none" : show(needed)))
      },
      {
        title: "factor",
        align: "right",
        cells: levers.map(({ factor }) => (factor === null ? "" : `× ${figure(factor)}`)),
        leaveOut: 1
      }
    ],
    width
  )
}

/** A chance from 0.5 to 0.999 as a number of 100. */
const ofHundredAsked = (chance: number): string => `${figure(Math.round(chance * 1000) / 10)} of 100`

const goalSentences = (goal: Goal, campaign: Assumptions, answer: GoalAnswer): ReadonlyArray<string> => {
  const { chance_now: chanceNow, expected_now: expected } = answer
  const amount = amountOf(goal.aim, answer.goal[goal.aim] ?? 0)
  const { chance } = answer.goal
  const clients = isMoney(goal.aim) && chance !== undefined ? peopleNeeded(goal, campaign) : undefined
  return [
    `Goal: ${amount} ${chance === undefined ? "on average" : `in ${ofHundredAsked(chance)} such campaigns`}.`,
    ...(clients === undefined ? [] : [`At this deal value that takes ${amountOf("clients", wholePeople(clients))}.`]),
    ...(expected === null || chanceNow === null
      ? []
      : [
          `As it is, the campaign is expected to bring ${amountOf(goal.aim, expected)}, and brings ${amount} or more in ${ofHundred(chanceNow)} such campaigns. The goal is ${answer.reached ? "reached" : "not reached"}.`
        ])
  ]
}

const leverSentence = ({ needed, reached }: GoalAnswer): string => {
  if (Object.values(needed).every((lever) => lever.needed === null)) {
    return "No single change is enough, with all the others as they are:"
  }
  return reached
    ? "Each of these alone would still be enough, with all the others as they are:"
    : "Any one of these is enough, with all the others as they are:"
}

const notes = (campaign: Assumptions, { goal, needed }: GoalAnswer): ReadonlyArray<string> => [
  ...(Object.values(needed).some((lever) => lever.needed === null)
    ? ["None: no value that this input can have is enough by itself."]
    : []),
  ...(campaign.campaign_cost === undefined
    ? []
    : ["The cost is assumed to stay the same however many emails are sent: add the cost of extra emails."]),
  ...(goal.chance === undefined
    ? ["An average is not a guarantee: use --chance 0.8 to reach the goal in 80 of 100 such campaigns."]
    : []),
  campaign.evidence === undefined
    ? "The chances take the rates as exact. Lists differ and rates move between campaigns, so real results vary more."
    : "The chances allow for how little the measured rates are known. A measured rate is not yours to choose, so only emails and cost are worked out."
]

/** What reaching a goal takes, for people: where the campaign stands, then each input that can be changed alone. */
export const goalTable = (goal: Goal, campaign: Assumptions, answer: GoalAnswer, width: number): string =>
  [
    "",
    ...goalSentences(goal, campaign, answer).flatMap((sentence) => wrap(sentence, width)),
    "",
    ...wrap(leverSentence(answer), width),
    "",
    ...leverTable(answer.needed, width),
    "",
    ...notes(campaign, answer).flatMap((sentence) => wrap(sentence, width, "  - ")),
    ""
  ].join("\n")
