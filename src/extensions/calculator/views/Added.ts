import { listed } from "../../../forecast/Words.ts"
import { counted, people, range } from "../../../text/Figures.ts"
import { type Html, html } from "../../../text/html.ts"
import type { Calculation } from "../Calculation.ts"
import { fieldLabels } from "../FormFields.ts"
import { noOutcome } from "./Message.ts"

/** The change that past campaigns have made, just after they were added. */
export interface Change {
  /** The calculations without and with them; undefined where a field is invalid. */
  readonly before: Calculation | undefined
  readonly now: Calculation | undefined
  /** The fields of amounts that were taken from the campaigns, and of those of a preset that were emptied. */
  readonly taken: ReadonlyArray<string>
  readonly emptied: ReadonlyArray<string>
}

const repliesOf = ({ forecast: { outlook } }: Calculation): string =>
  range(outlook.replies.low, outlook.replies.high, people)

/** The change once campaigns were added, with links to the forecast and to what it lacks. */
export const addedView = (campaigns: number, { before, emptied, now, taken }: Change): Html => {
  const added = `${counted(campaigns, "campaign")} added`
  if (now === undefined) return html`<p class="says">${added}. <a href="#calculate">${noOutcome}</a></p>`
  const replies =
    before === undefined ? `${repliesOf(now)} replies` : `${repliesOf(before)} replies before, ${repliesOf(now)} now`
  const labelOfField = (name: string) => (fieldLabels[name] ?? "").toLowerCase()
  const links = emptied.map((name) => html`<a href="#${name}">${labelOfField(name)}</a>`)
  return html`<p class="says">${added}: ${replies}. <a href="#result">See the forecast</a></p>
${taken.length === 0 ? html`` : html`<p>The ${listed(taken.map(labelOfField))} ${taken.length === 1 ? "is" : "are"} now from your campaigns, too.</p>`}
${links.length === 0 ? html`` : html`<p>Enter your own ${links.map((link, index) => html`${index === 0 ? "" : " and "}${link}`)} to see profit and return: the figures of the example were removed.</p>`}`
}
