import { publishedFigures } from "../../../forecast/benchmarks/PublishedFigures.ts"
import { clientiumCampaigns } from "../../../forecast/benchmarks/Publications.ts"
import { type Html, html } from "../../../text/html.ts"
import { linear } from "../drawings/Svg.ts"
import { across } from "../../../site/pointedDrawing.ts"
import type { FormNumber } from "../FormFields.ts"
import { placeOf, sliderOf } from "../Sliders.ts"

/** The only rate with a published distribution. */
const marked = "reply_rate"

const marks: { readonly [percentile: string]: unknown } =
  publishedFigures.find(({ source }) => source === clientiumCampaigns)?.values ?? {}

/** The place of the number among published campaigns, with the source of the slider's marks on hover and focus. */
export const standingView = ({ name }: FormNumber, standing: Html): Html =>
  name !== marked
    ? html``
    : html`<p class="help standing"><span id="reply-standing">${standing}</span> <span class="source"><button type="button" aria-describedby="${name}-marks">published campaigns</button><span role="tooltip" id="${name}-marks">The marks: ${Object.entries(
        marks
      )
        .map(([percentile, value]) => `${percentile} ${String(value)}%`)
        .join(
          ", "
        )} of ${clientiumCampaigns.sample ?? ""}. ${clientiumCampaigns.publisher}, CC BY 4.0.</span></span></p>`

/** The slider next to a number, which needs the script. */
export const slideView = (field: FormNumber, text: string): Html => {
  const slider = sliderOf(field)
  if (slider === undefined) return html``
  const { maximum, minimum, step } = slider
  const x = linear(minimum, maximum)
  return html`<span class="slide scripted"><input type="range" aria-label="${field.label}" data-of="${field.name}" min="${minimum}" max="${maximum}" step="${step}" value="${placeOf(field, text) ?? minimum}" autocomplete="off">${
    field.name === marked
      ? html`<svg aria-hidden="true">${Object.values(marks).map(
          (value) => html`<line x1="${across(x(Number(value)))}" x2="${across(x(Number(value)))}" y1="0" y2="6"/>`
        )}</svg>`
      : html``
  }</span>`
}
