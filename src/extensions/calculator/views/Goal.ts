import { toDouble, wholePeople } from "../../../forecast/Decimal.ts"
import { clients, figure, noun, people, percent, times } from "../../../text/Figures.ts"
import type { Assumptions } from "../../../campaign/Assumptions.ts"
import { labelledLevers } from "../../goals/Goals.ts"
import { atCostOf } from "../../goals/spokenGoal.ts"
import type { GoalAnswer } from "../../goals/GoalAnswer.ts"
import { type Goal, isMoney, peopleNeeded } from "../../goals/GoalTarget.ts"
import { countNouns } from "../../../campaign/Rates.ts"
import { ofHundred } from "../../../forecast/Words.ts"
import { type Html, html } from "../../../text/html.ts"
import { amountsOf } from "../Amounts.ts"
import type { Calculation } from "../Calculation.ts"
import type { Levers } from "../Levers.ts"

type Amounts = ReturnType<typeof amountsOf>

const amountOf = (aim: Goal["aim"], amount: number, money: Amounts["money"]): string => {
  if (aim === "roi_multiple") return `${figure(amount)} times the cost`
  if (aim === "revenue" || aim === "profit") return `a ${aim} of ${money(amount)}`
  return `${people(amount)} ${noun(amount, ...countNouns[aim])}`
}

const unknownGoal =
  "The current value is unknown: this goal needs a deal value, a profit also a cost, and a return a cost above 0."

/** The chance to reach the goal, or what the campaign brings on average. */
const statusText = (goal: Goal, assumptions: Assumptions, answer: GoalAnswer, amounts: Amounts): string => {
  const { chance_now: chance, expected_now: expected, reached } = answer
  if (expected === null || chance === null) return unknownGoal
  const target = answer.goal[goal.aim] ?? 0
  const people = isMoney(goal.aim) ? peopleNeeded(goal, assumptions) : undefined
  const takes = people === undefined ? "" : `, which takes ${clients(wholePeople(people))},`
  const typed = amountOf(goal.aim, target, amounts.exactMoney)
  return (
    (reached ? "Reached: you" : "You") +
    (goal.chance === undefined
      ? ` get ${amountOf(goal.aim, expected, amounts.money)} on average, and ${typed} or more${takes} in ${ofHundred(chance)} campaigns.`
      : ` get ${typed} or more${takes} in ${ofHundred(chance)}.`)
  )
}

/** The goal, and in how many campaigns it is reached; empty without a goal. */
export const goalSentence = ({ goal: answer, input: { first, goal, values } }: Calculation): string =>
  goal === undefined || answer === undefined ? "" : statusText(goal, first.assumptions, answer, amountsOf(values))

const tableIntro = ({ chance }: Goal, { expected_now: expected, needed, reached }: GoalAnswer): string => {
  if (Object.values(needed).every((lever) => lever.needed === null)) return "No single change is enough"
  if (reached) return "Each of these alone would still be enough"
  return chance === undefined || expected === null
    ? "To get there, change one of these"
    : `To make it ${figure(toDouble(chance) * 100)}, change one of these`
}

const emailsRemark = (goal: Goal, assumptions: Assumptions, answer: GoalAnswer, { money }: Amounts): string => {
  if (goal.aim === "profit" || goal.aim === "roi_multiple") return "each at your cost per email"
  const atCost = atCostOf(answer, { assumptions, goal })
  if (atCost === undefined) return "more emails usually cost more"
  return `for ${money(toDouble(atCost.cost))} at your cost per email${atCost.isLoss ? ", a loss" : ""}`
}

/** The published range of a rate that would have to change. */
const publishedText = (
  { beyond_published: isBeyond, name, needed }: ReturnType<typeof labelledLevers>[number],
  { levers }: Levers
): string => {
  if (isBeyond === true) return "above all published"
  const lever = levers.find((each) => each.name === name)
  if (needed === null || lever?.span !== "published" || needed > lever.high.value) return ""
  return `published: ${figure(lever.low.value)} to ${percent(lever.high.value)}`
}

/** The reasons why no value of an input is enough. */
const impossible = {
  percent: "impossible: even 100% is too little",
  count: "impossible: no number is enough",
  money: "impossible: no amount is enough"
}

/** The goal in a sentence. */
export const goalView = ({ goal: answer, input: { first, goal, values } }: Calculation): Html =>
  goal === undefined || answer === undefined
    ? html`<p class="hint">Enter a number to see the value that each input alone would need.</p>`
    : html`<p>${statusText(goal, first.assumptions, answer, amountsOf(values))}</p>`

/** The introduction to the table of a goal; empty without one. */
export const goalIntro = ({ goal: answer, input: { goal } }: Calculation): Html =>
  goal === undefined || answer === undefined ? html`` : html`${tableIntro(goal, answer)}`

/** The needed value of each input alone. */
export const goalLevers = ({ goal: answer, input: { first, goal, values }, levers }: Calculation): Html => {
  if (goal === undefined || answer === undefined) return html``
  const amounts = amountsOf(values)
  const { aboutAtLeast, aboutAtMost, exactMoney } = amounts
  const rows = labelledLevers(answer.needed).map((lever) => ({
    ...lever,
    show: { count: figure, percent, money: exactMoney }[lever.unit],
    showNeeded: { count: figure, percent, money: lever.name === "campaign_cost" ? aboutAtMost : aboutAtLeast }[
      lever.unit
    ],
    remark:
      lever.name === "emails_sent"
        ? emailsRemark(goal, first.assumptions, answer, amounts)
        : publishedText(lever, levers)
  }))
  return html`<table class="levers"><thead><tr><th scope="col">Change</th><th scope="col">now</th><th scope="col">needed</th><th scope="col">that is</th></tr></thead>
<tbody>${rows.map(
    ({ current, factor, label, name, needed, remark, show, showNeeded, unit }) =>
      html`<tr><th scope="row">${label} <span>${remark}</span></th><td>${current === null ? "–" : show(current)}</td>
${needed === null ? html`<td colspan="2" class="impossible">${name === "campaign_cost" ? "impossible: even no cost is too much" : impossible[unit]}</td>` : html`<td><strong>${showNeeded(needed)}</strong></td><td>${factor === null ? "" : times(factor)}</td>`}</tr>`
  )}</tbody></table>
<p class="hint">${
    first.assumptions.history === undefined
      ? "One change at a time, all else as it is. Leave the number of campaigns empty to reach the goal on average."
      : "You cannot choose a rate that was learned, so only emails and cost are calculated."
  }</p>`
}
