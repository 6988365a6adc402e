import { type Html, html } from "../../text/html.ts"
import { addressOf, presetOf, presets, sample, withPreset } from "../Presets.ts"
import type { FormValues } from "../readForm.ts"
import type { CitedFigure } from "../Sources.ts"

/** Links that fill the form with a campaign. */
export const presetsView = (values: FormValues): Html => {
  const current = presetOf(values)
  return html`<span class="label">Start with:</span>${presets.map(
    (preset, index) =>
      html`<a href="${addressOf(withPreset(values, preset.values))}" data-fill="preset-${String(index)}" id="preset-${String(index)}"${preset === current ? html` aria-current="true"` : html``}>${preset.name}</a>`
  )}`
}

/** A figure with a link to its publisher. */
export const citation = ({ source: { license, publisher, url, year }, text }: CitedFigure): Html =>
  html`${text} (${url === null ? publisher : html`<a href="${url}">${publisher}</a>`}${year === null ? "" : ` ${year}`}${license === null ? "" : `, ${license.replace(/ \(.*/, "")}`}).`

/** The sources of the figures in the form, if they are not the visitor's own. */
export const presetSource = (values: FormValues): Html => {
  const current = presetOf(values)
  return current === sample
    ? html`The first call of the guide, not a benchmark.`
    : html`${(current?.sources ?? []).map((figure) => html`${citation(figure)} `)}`
}
