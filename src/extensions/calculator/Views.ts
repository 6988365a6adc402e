import { Record, Struct } from "effect"
import { type Html, html } from "../../text/html.ts"
import type { Calculation } from "./Calculation.ts"
import { distributionDrawing, distributionLegend } from "./drawings/DistributionDrawing.ts"
import { flightSentence, flightView } from "./views/Flight.ts"
import { funnelDrawing, funnelLegend } from "./drawings/FunnelDrawing.ts"
import { leverDrawing, leverLegend } from "./drawings/LeverDrawing.ts"
import { patterns } from "./drawings/Svg.ts"
import { addressOf, isWhole } from "./Presets.ts"
import { comparisonView } from "./views/Comparison.ts"
import { embedCode } from "./views/Embed.ts"
import { glanceView } from "./views/Glance.ts"
import { goalIntro, goalLevers, goalView } from "./views/Goal.ts"
import { historySums, historyView } from "./views/History.ts"
import {
  adviceView,
  costsView,
  headline,
  learnedStanding,
  notesView,
  outcomeView,
  positiveStanding,
  replyStanding,
  spokenOutcome,
  stagesView
} from "./views/Outcome.ts"
import { testFirstTable, testFirstView } from "./views/TestFirst.ts"
import { snippets } from "./views/Snippets.ts"
import type { ApiAddress } from "../../site/ApiAddress.ts"

/** Additions of a view to a calculation: the address of the page with its numbers, and API calls for them. */
interface Around {
  readonly link: string
  readonly baseUrl: string
  readonly code: ReturnType<typeof snippets>
}

type View = (calculation: Calculation, around: Around) => Html

const text = (value: string) => html`${value}`

/** The views of a calculation by the ID of their place on the page; the headline is the title of the page. */
const views = {
  outcome: outcomeView,
  advice: adviceView,
  stages: stagesView,
  funnel: (calculation) =>
    html`${funnelLegend(calculation.forecast.outlook)}${funnelDrawing(calculation.stages)}${costsView(calculation)}`,
  distribution: (calculation) => html`${patterns}${distributionLegend(calculation)}${distributionDrawing(calculation)}`,
  "take-along": ({ input: { values } }) =>
    isWhole(values)
      ? html`<a href="${addressOf(values, "/report")}">Print or PDF</a>`
      : html`<button type="submit" form="calculator" formaction="/report" class="linklike" data-served>Print or PDF</button>`,
  "embed-code": (_, { baseUrl, link }) => text(embedCode(link, baseUrl)),
  levers: (calculation) => html`${leverLegend(calculation.levers)}${leverDrawing(calculation)}`,
  "flight-answer": flightView,
  "goal-answer": goalView,
  "goal-intro": goalIntro,
  "goal-levers": goalLevers,
  comparison: comparisonView,
  "test-first-answer": testFirstView,
  "test-first-table": testFirstTable,
  "history-sums": historySums,
  "history-answer": historyView,
  notes: notesView,
  "reply-standing": replyStanding,
  "reply-learned": learnedStanding,
  "positive-standing": positiveStanding,
  glance: glanceView,
  headline: (calculation) => text(headline(calculation)),
  spoken: (calculation) => {
    const { flight } = calculation
    return text(`${flight === undefined ? "" : `${flightSentence(flight)} As planned: `}${spokenOutcome(calculation)}`)
  },
  "code-curl": (_, { code }) => text(code.curl),
  "code-python": (_, { code }) => text(code.python),
  "code-typescript": (_, { code }) => text(code.typescript)
} satisfies { readonly [place: string]: View }

export type Place = keyof typeof views
export const places = Struct.keys(views)

/** The content of each place for a calculation; `link` is the address of the page with its numbers. */
export const viewsOf = (
  calculation: Calculation,
  address: ApiAddress,
  link = addressOf(calculation.input.values)
): { readonly [place in Place]: Html } => {
  const around = { link, baseUrl: address.baseUrl, code: snippets(calculation.input, address) }
  return Record.map<Place, View, Html>(views, (view) => view(calculation, around))
}
