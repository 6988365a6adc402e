import { toDouble, wholePeople } from "../../../forecast/Decimal.ts"
import { about, clients, figure, noun, people, percent, times } from "../../../text/Figures.ts"
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

const amountOf = (aim: Goal["aim"], amount: number, { money }: Amounts): string => {
  if (aim === "roi_multiple") return `${figure(amount)} times the cost`
  if (aim === "revenue" || aim === "profit") return `a ${aim} of ${money(amount)}`
  return `${people(amount)} ${noun(amount, ...countNouns[aim])}`
}

const statusText = (goal: Goal, assumptions: Assumptions, answer: GoalAnswer, amounts: Amounts): string => {
  const { chance_now: chance, expected_now: expected, reached } = answer
  if (expected === null || chance === null) {
    return "The current value is unknown: this goal needs a deal value, a profit also a cost, and a return a cost above 0."
  }
  const target = answer.goal[goal.aim] ?? 0
  const people = isMoney(goal.aim) ? peopleNeeded(goal, assumptions) : undefined
  const takes = people === undefined ? "" : `, which takes ${clients(wholePeople(people))},`
  return `${reached ? "Reached" : "Not reached yet"}: the campaign is expected to bring ${amountOf(goal.aim, expected, amounts)}, and brings ${amountOf(goal.aim, target, amounts)} or more${takes} in ${ofHundred(chance)} such campaigns.`
}

/** The goal, and in how many campaigns it is reached; empty without a goal. */
export const goalSentence = ({ goal: answer, input: { first, goal, values } }: Calculation): string =>
  goal === undefined || answer === undefined ? "" : statusText(goal, first.assumptions, answer, amountsOf(values))

const tableIntro = ({ needed, reached }: GoalAnswer): string => {
  const levers = Object.values(needed)
  if (levers.every((lever) => lever.needed === null)) return "No single change is enough by itself:"
  if (!reached && levers.some((lever) => lever.needed === null)) return "Needed values, each alone:"
  return reached ? "Each of these alone would still be enough:" : "Any one of these alone is enough:"
}

const emailsRemark = (goal: Goal, assumptions: Assumptions, answer: GoalAnswer): string => {
  if (goal.aim === "profit" || goal.aim === "roi_multiple") return "each at your cost per email"
  const atCost = atCostOf(answer, { assumptions, goal })
  if (atCost === undefined) return "more emails usually cost more"
  return `${about(toDouble(atCost.cost))} at your cost per email${atCost.isLoss ? ", a loss" : ""}`
}

/** The published range of a rate that would have to change. */
const publishedText = (
  { beyond_published: isBeyond, name, needed }: ReturnType<typeof labelledLevers>[number],
  { levers }: Levers
): string => {
  if (isBeyond === true) return "beyond what is published"
  const lever = levers.find((each) => each.name === name)
  if (needed === null || lever?.span !== "published" || needed > lever.high.value) return ""
  return `published: ${figure(lever.low.value)} to ${percent(lever.high.value)}`
}

/** The needed value of each input alone. */
export const goalView = ({ goal: answer, input: { first, goal, values }, levers }: Calculation): Html => {
  if (goal === undefined || answer === undefined) {
    return html`<p class="hint">Enter a number to see the value that each input alone would need.</p>`
  }
  const amounts = amountsOf(values)
  const formats = { count: figure, percent, money: amounts.money }
  const rows = labelledLevers(answer.needed).map((lever) => ({
    ...lever,
    show: formats[lever.unit],
    remark: lever.name === "emails_sent" ? emailsRemark(goal, first.assumptions, answer) : publishedText(lever, levers)
  }))
  return html`<p>${statusText(goal, first.assumptions, answer, amounts)} ${tableIntro(answer)}</p>
<table class="levers"><thead><tr><th scope="col">Change</th><th scope="col">now</th><th scope="col">needed</th><th scope="col">that is</th></tr></thead>
<tbody>${rows.map(
    ({
      current,
      factor,
      label,
      needed,
      remark,
      show
    }) => html`<tr><th scope="row">${label} <span>${remark}</span></th><td>${current === null ? "–" : show(current)}</td>
<td>${needed === null ? "not this way" : html`<strong>${show(needed)}</strong>`}</td><td>${factor === null ? "" : times(factor)}</td></tr>`
  )}</tbody></table>
<p class="hint">${
    first.assumptions.history === undefined
      ? "One change at a time, all else as it is. Leave the number of campaigns empty to reach the goal on average."
      : "You cannot choose a rate that was learned, so only emails and cost are calculated."
  }</p>`
}
