import { brief, clientRange } from "../../../text/Figures.ts"
import { shortOfHundred } from "../../../forecast/Words.ts"
import { type Html, html } from "../../../text/html.ts"
import type { Calculation } from "../Calculation.ts"
import { across } from "../../../site/pointedDrawing.ts"

const height = 52

/** The distribution in miniature, with its numbers next to it. */
const miniature = ({ distribution, forecast: { outlook } }: Calculation): Html => {
  const { clients_to_break_even: needed } = outlook
  const most = Math.max(...distribution.map(({ chance }) => chance), 1e-9)
  const room = 100 / distribution.length
  return html`<svg aria-hidden="true">${distribution.map(({ chance, from, to = from }, index) => {
    const tall = Math.round((chance / most) * height * 10) / 10
    return html`<rect${needed !== null && (from + to) / 2 < needed ? html` class="loss"` : html``} x="${across(index * room + room / 10)}" y="${height - tall}" width="${across(room * 0.8)}" height="${tall}"/>`
  })}</svg>`
}

/** From this number of letters on, the range is smaller, so that it fits on one line of a phone. */
const long = 16

/** The result in a bar that stays visible while numbers change: the end of the campaign, if it is in flight. */
export const glanceView = (calculation: Calculation): Html => {
  const { flight, forecast } = calculation
  const { chance_of_no_client: none, chance_to_break_even: covered, clients } = flight?.end ?? forecast.outlook
  const span = `${clientRange(clients, brief)}${flight === undefined ? "" : " at the end"}`
  return html`<span><strong${span.length > long ? html` class="long"` : html``}>${span}</strong> <span>in ${shortOfHundred(clients.chance_within)}${none === 0 ? "" : `; none in ${shortOfHundred(none).replace(" of 100", "")}`}</span> <span>${
    covered === null
      ? html`<b>${brief(clients.expected)}</b> on average`
      : html`<b>${shortOfHundred(covered)}</b> cover their cost`
  }</span></span>${flight === undefined ? miniature(calculation) : html``}`
}
