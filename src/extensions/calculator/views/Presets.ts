import { type Html, html } from "../../../text/html.ts"
import { addressOf, isWhole, type Preset, presetOf, presetParameter, presets, sample, withPreset } from "../Presets.ts"
import type { CitedFigure } from "../Sources.ts"
import type { FormValues } from "../../../site/form.ts"

/**
 * Links that fill the form with a campaign. Without the script, past campaigns for which a link has no room are sent
 * with the form.
 */
export const presetsView = (values: FormValues, isServed = false): Html => {
  const current = presetOf(values)
  const areSent = isServed && !isWhole(values)
  // The Enter key presses the first button of a form, which must not be a preset.
  const first = html`<button type="submit" form="calculator" class="visually-hidden" tabindex="-1" aria-hidden="true"></button>`
  // With the script, they are one stop of the Tab key.
  const stop = isServed ? undefined : (current ?? presets[0])
  const stopAt = (preset: Preset) => (stop === undefined || stop === preset ? html`` : html` tabindex="-1"`)
  return html`<span class="label">Start with:</span>${areSent ? first : html``}${presets.map((preset, index) =>
    areSent
      ? html`<button type="submit" form="calculator" formaction="/?${presetParameter}=${index}" class="linklike" data-served id="preset-${index}">${preset.name}</button>`
      : html`<a href="${addressOf(withPreset(values, preset.values))}" data-fill="preset-${String(index)}" id="preset-${String(index)}"${preset === current ? html` aria-current="true"` : html``}${stopAt(preset)}>${preset.name}</a>`
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
