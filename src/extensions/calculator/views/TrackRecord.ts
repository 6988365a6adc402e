import { integer, range } from "../../../text/Figures.ts"
import { isWithin } from "../../../forecast/outlook/Learning.ts"
import type { ForecastCount, TrackRecord } from "../../../forecast/outlook/Outlook.ts"
import { type Html, html } from "../../../text/html.ts"
import type { Calculation } from "../Calculation.ts"
import { bar, legend, linear } from "../drawings/Svg.ts"
import { across } from "../../../site/pointedDrawing.ts"

const verdictOf = (count: ForecastCount): Html =>
  isWithin(count)
    ? html`<strong>within</strong>`
    : html`<span class="badge">${count.observed > count.high ? "above" : "below"}</span>`

/** A range in words, and whether the result was within it. */
const ranged = (count: ForecastCount): Html => html`${range(count.low, count.high, integer)}: ${verdictOf(count)}`

/** A sentence on the past campaigns that ended within the ranges that the others forecast for them. */
const recordSentence = ({ campaigns, clients_of, clients_within, replies_within }: TrackRecord): string => {
  const ofClients = clients_of === 0 ? "" : ` For clients: ${clients_within} of the ${clients_of} with all counts.`
  return `${replies_within} of your last ${campaigns} ended within the range of replies forecast from the others.${ofClients}`
}

/** The track record of the past campaigns in a sentence; empty if there is none. */
export const trackRecordSentence = ({ forecast: { track_record: record } }: Calculation): string =>
  record === null ? "" : recordSentence(record)

const rowHeight = 20

/** The range of replies as a bar, and what came as a dot. */
const rangeDrawing = ({ high, low, observed }: ForecastCount, x: (count: number) => number): Html =>
  html`<svg class="drawing" width="100%" height="${rowHeight}" aria-hidden="true">${bar("gain", x(low), x(high), 4, 12)}<circle class="came" cx="${across(x(observed))}" cy="10" r="5"/></svg>`

/** A table of how well the past campaigns predict each other, campaign by campaign. */
export const trackRecordView = ({ forecast, input: { first } }: Calculation): Html => {
  const record: TrackRecord | null = forecast.track_record
  if (record === null) return html`<p>With 3 or more campaigns, this shows how well they predict each other.</p>`
  const { clients_of, each } = record
  const past = (first.assumptions.history ?? []).flatMap((campaign, index) =>
    campaign.replies === undefined ? [] : [{ ...campaign, place: index + 1 }]
  )
  // The dots at both ends stay inside the drawing.
  const x = linear(0, Math.max(...each.flatMap(({ replies }) => [replies.high, replies.observed]), 1), 2, 98)
  return html`<p>${recordSentence(record)}</p>
${legend([
  ["gain", "range forecast from the others"],
  ["came", "result"]
])}
<div class="scroll record" tabindex="0" role="region" aria-label="Past campaigns and their forecasts"><table>
<thead><tr><th scope="col">Campaign</th><th scope="col">Emails</th><th scope="col">Replies</th><th scope="col" class="range">Range and result</th><th scope="col">Range of replies</th>${clients_of === 0 ? html`` : html`<th scope="col">Clients</th><th scope="col">Range of clients</th>`}</tr></thead>
<tbody>${each.map(({ clients, name, replies }, index) => {
    const { emails_sent = 0, place = index + 1 } = past[index] ?? {}
    return html`<tr><th scope="row">${name ?? `Campaign ${place}`}</th><td data-title="Emails">${integer(emails_sent)}</td><td data-title="Replies">${integer(replies.observed)}</td><td class="range">${rangeDrawing(replies, x)}</td><td data-title="Range">${ranged(replies)}</td>${
      clients_of === 0
        ? html``
        : html`<td data-title="Clients">${clients === null ? "–" : integer(clients.observed)}</td><td data-title="Range">${clients === null ? "–" : ranged(clients)}</td>`
    }</tr>`
  })}</tbody></table></div>`
}
