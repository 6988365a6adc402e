import { range, shortFigure, shortPeople } from "../../../text/Figures.ts"
import { ofHundred, sentenceCase, shortOfHundred } from "../../../forecast/Words.ts"
import { type Html, html } from "../../../text/html.ts"
import { amountsOf } from "../Amounts.ts"
import type { Calculation, SideBySide } from "../Calculation.ts"
import type { Forecast } from "../../../forecast/ForecastAnswer.ts"
import { addressOf, withSecond } from "../Presets.ts"
import type { NeighbourChances } from "../../lists/PortfolioAnswer.ts"
import { bar, drawing, label } from "../drawings/Svg.ts"

/**
 * The numbers of 100 pairs of campaigns in which each one ends better, or both end the same, in words; they sum to 100.
 */
interface PairShares {
  readonly first: string
  readonly second: string
  readonly same: string
}

const pairShares = ({ chance_equal: equal, chance_first_is_better: better }: NeighbourChances): PairShares => {
  const worse = Math.max(1 - better - equal, 0)
  const left = 100 - Math.round(better * 100) - Math.round(worse * 100)
  return {
    first: ofHundred(better),
    second: ofHundred(worse),
    same: left > 0 ? `${left} of 100` : ofHundred(equal)
  }
}

/** Of 100 pairs of campaigns, those in which the first ends better, both the same, and the second better. */
const comparisonDrawing = (
  { chance_equal: equal, chance_first_is_better: better }: NeighbourChances,
  shares: PairShares,
  [first, second]: readonly [string, string]
): Html => {
  const start = better * 100
  const end = (better + equal) * 100
  return drawing(
    40,
    `${first} ends better in ${shares.first} pairs, both end the same in ${shares.same}, ${second} ends better in ${shares.second}.`,
    [
      bar("gain", 0, start, 0, 22),
      bar("same", start, end, 0, 22),
      bar("other", end, 100, 0, 22),
      label("soft", 0, 37, shares.first, "start"),
      label("soft", 100, 37, shares.second, "end")
    ]
  )
}

/** A figure as it is shown, or a dash. */
const orUnknown = (figure: number | null, show: (figure: number) => string): string =>
  figure === null ? "–" : show(figure)

type Amounts = ReturnType<typeof amountsOf>

type ComparedFigure = readonly [name: string, show: (forecast: Forecast, amounts: Amounts) => string]

const rows: ReadonlyArray<ComparedFigure> = [
  ["Average clients", ({ outlook }) => shortPeople(outlook.clients.expected)],
  ["Range of clients", ({ outlook: { clients } }) => range(clients.low, clients.high, shortPeople)],
  ["Average profit", ({ estimated_profit: profit }, { shortMoney }) => orUnknown(profit, shortMoney)],
  ["Average return", ({ roi_multiple: roi }) => orUnknown(roi, (value) => `${shortFigure(value)}×`)],
  ["No client", ({ outlook }) => shortOfHundred(outlook.chance_of_no_client)],
  ["Covers its cost", ({ outlook }) => orUnknown(outlook.chance_to_break_even, shortOfHundred)]
]

/** The difference between the second campaign and the first: in the average result, and in the chance of no client. */
const differenceOf = (first: Calculation, other: SideBySide): string => {
  const inMoney = other.measure === "profit"
  const of = ({ forecast }: Pick<Calculation, "forecast">): number =>
    inMoney ? (forecast.estimated_profit ?? 0) : forecast.outlook.clients.expected
  const more = of(other) - of(first)
  const amount = (inMoney ? amountsOf(first.input.values).shortMoney : shortPeople)(Math.abs(more))
  const unit = inMoney ? "profit" : "clients"
  const change = more > 0 ? "more" : inMoney ? "less" : "fewer"
  const [before = 0, none = 0] = [first, other].map(({ forecast }) => forecast.outlook.chance_of_no_client)
  const without = none === 0 ? "All campaigns win a client" : `${sentenceCase(ofHundred(none))} campaigns win no client`
  const risk =
    ofHundred(none) === ofHundred(before) ? "as in the first" : `instead of ${ofHundred(before).replace(" of 100", "")}`
  return `${more === 0 ? `the same ${unit}` : `${amount} ${change} ${unit}`} on average. ${without}, ${risk}.`
}

/** A name within a sentence, whatever the direction of its script. */
const isolated = (name: string): Html => html`<bdi>${name}</bdi>`

/** The second campaign compared with the first, in a sentence; empty without one. */
export const comparisonSentence = (calculation: Calculation): Html => {
  const { input, second: other } = calculation
  return input.second === undefined || other === undefined
    ? html``
    : html`${isolated(input.second.name)}: ${differenceOf(calculation, other)}`
}

/** The better of two campaigns, and in how many of 100 cases. */
export const comparisonView = (calculation: Calculation): Html => {
  const { input, second: other } = calculation
  const { first, second } = input
  if (second === undefined || other === undefined) {
    const example = withSecond(input)
    return html`<p>${
      example === undefined
        ? html``
        : html`Are fewer, larger deals worth it?<br>
<a href="${addressOf(example)}" data-fill="b_average_deal_value">Three times as large, closed 40% as often</a> · `
    }<a href="/list">Rank a list of campaigns</a></p>`
  }
  const { chances, measure } = other
  const shares = pairShares(chances)
  const amounts = amountsOf(input.values)
  const verdict = html`<p class="says">${comparisonSentence(calculation)}</p>
<p>If you send both, <strong>${isolated(first.name)}</strong> ends with ${measure === "profit" ? "more profit" : "more clients"} in ${shares.first} cases, <strong>${isolated(second.name)}</strong> in ${shares.second}; in ${shares.same} they end the same.</p>
<figure>${comparisonDrawing(chances, shares, [first.name, second.name])}
<p class="legend"><span><span class="swatch gain"></span> ${isolated(first.name)} is better</span> <span><span class="swatch same"></span> the same</span> <span><span class="swatch other"></span> ${isolated(second.name)} is better</span></p></figure>`
  return html`${verdict}
<table class="sides"><thead><tr><td></td><th scope="col">${first.name}</th><th scope="col">${second.name}</th></tr></thead>
<tbody>${rows.map(
    ([name, show]) =>
      html`<tr><th scope="row">${name}</th><td>${show(calculation.forecast, amounts)}</td><td>${show(other.forecast, amounts)}</td></tr>`
  )}</tbody></table>`
}
