import { type Html, html } from "../../text/html.ts"
import { addressOf, presetOf, presets, withPreset } from "../Presets.ts"
import type { FormValues } from "../readForm.ts"

/** Links that fill the form with a campaign, and where the figures of the current one are from. */
export const presetsView = (values: FormValues): Html => {
  const current = presetOf(values)
  return html`<p id="presets-label">Start with a campaign at published rates:</p>
<ul class="chips" aria-labelledby="presets-label">${presets.map(
    (preset, index) =>
      html`<li><a href="${addressOf(withPreset(values, preset.values))}" data-fill="preset-${String(index)}" id="preset-${String(index)}"${preset === current ? html` aria-current="true"` : html``}>${preset.name}</a></li>`
  )}</ul>
${
  current === undefined
    ? html``
    : html`<p class="hint">From ${current.sources.map(
        ({ source: { license, publisher, url, year }, text }, index) =>
          html`${index === 0 ? "" : "; "}${text} (${url === null ? publisher : html`<a href="${url}">${publisher}</a>`}${year === null ? "" : ` ${year}`}${license === null ? "" : `, ${license.replace(/ \(.*/, "")}`})`
      )}.</p>`
}`
}
