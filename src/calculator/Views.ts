import { type Html, html } from "../text/html.ts"
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
import { goalView } from "./views/Goal.ts"
import { historySums, historyView } from "./views/History.ts"
import {
  adviceView,
  headline,
  notesView,
  outcomeView,
  positiveStanding,
  replyStanding,
  spokenOutcome
} from "./views/Outcome.ts"
import { testFirstView } from "./views/TestFirst.ts"
import { languages } from "../http/document/CodeSamples.ts"
import { snippets } from "./views/Snippets.ts"
import type { ApiAddress } from "../site/ApiAddress.ts"

/** The IDs of the places on the page that show a calculation; the headline is the title of the page. */
export const places = [
  "outcome",
  "advice",
  "funnel",
  "distribution",
  "take-along",
  "embed-code",
  "levers",
  "flight-answer",
  "goal-answer",
  "comparison",
  "test-first-answer",
  "history-sums",
  "history-answer",
  "notes",
  "reply-standing",
  "positive-standing",
  "glance",
  "headline",
  "spoken",
  ...languages.map((language) => `code-${language}` as const)
] as const
export type Place = (typeof places)[number]

/** The text in place of an outcome while a field is invalid. */
export const noOutcome = "Correct the fields to see the forecast."

/** The content of each place for a calculation; `link` is the address of the page with its numbers. */
export const viewsOf = (
  calculation: Calculation,
  address: ApiAddress,
  link = addressOf(calculation.input.values)
): { readonly [place in Place]: Html } => {
  const { flight, input, levers, stages } = calculation
  const code = snippets(input, address)
  const text = (value: string) => html`${value}`
  return {
    outcome: outcomeView(calculation),
    advice: adviceView(calculation),
    funnel: html`${funnelLegend(stages)}${funnelDrawing(stages)}`,
    distribution: html`${patterns}${distributionLegend(calculation)}${distributionDrawing(calculation)}`,
    "take-along": isWhole(input.values)
      ? html`<a href="${addressOf(input.values, "/report")}">Print or save as PDF</a>`
      : html`<button type="submit" form="calculator" formaction="/report" class="linklike" data-served>Print or save as PDF</button>`,
    "embed-code": text(embedCode(link, address.baseUrl)),
    levers: html`${leverLegend(levers)}${leverDrawing(calculation)}`,
    "flight-answer": flightView(calculation),
    "goal-answer": goalView(calculation),
    comparison: comparisonView(calculation),
    "test-first-answer": testFirstView(calculation),
    "history-sums": historySums(calculation),
    "history-answer": historyView(calculation),
    notes: notesView(calculation),
    "reply-standing": replyStanding(calculation),
    "positive-standing": positiveStanding(calculation),
    glance: glanceView(calculation),
    headline: text(headline(calculation)),
    spoken: text(
      `${flight === undefined ? "" : `${flightSentence(flight)} As planned: `}${spokenOutcome(calculation)}`
    ),
    "code-curl": text(code.curl),
    "code-python": text(code.python),
    "code-typescript": text(code.typescript)
  }
}
