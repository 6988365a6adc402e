import { html, type Html } from "../../html.ts"

/** A stage of a funnel: its name, its count, and how it comes from the stage before. */
export interface Stage {
  readonly name: string
  readonly count: number
  readonly rate: string
}

const rowHeight = 34
const number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 })

/** A funnel as SVG: a bar for each stage, its length the cube root of its share, so that the last ones can be seen. */
export const funnelDrawing = (stages: ReadonlyArray<Stage>): Html => {
  const most = stages[0]?.count ?? 1
  const described = stages.map(({ count, name }) => `${name} ${number.format(count)}`).join(", ")
  return html`<svg viewBox="0 0 440 ${stages.length * rowHeight}" role="img" aria-label="${described}">
${stages.map(
  ({ count, name, rate }, row) =>
    html`<text x="0" y="${row * rowHeight + 22}">${name}</text>
<rect x="125" y="${row * rowHeight + 6}" width="${Math.round(190 * Math.cbrt(count / most))}" height="22" rx="5"/>
<text x="330" y="${row * rowHeight + 22}">${number.format(count)}</text>
<text class="soft" x="395" y="${row * rowHeight + 22}">${rate}</text>
`
)}</svg>`
}
