import { type Html, html } from "../../text/html.ts"
import { campaignFields, moreFields } from "../Fields.ts"
import { figure, people } from "../../text/Figures.ts"
import { brief, shortMoney } from "../pageFigures.ts"
import type { Lever, Levers } from "../Levers.ts"
import { bar, down, drawing, label, linear, widthOf } from "./Svg.ts"

const rowHeight = 62
const top = 24

const fields = new Map([...campaignFields, ...moreFields].map((field) => [field.name, field] as const))

const nameOf = ({ name }: Lever): string => fields.get(name)?.label ?? name

const valueOf = ({ name }: Lever, value: number): string =>
  fields.get(name)?.unit === "%" ? `${figure(value)} %` : value < 1 ? figure(value) : brief(value)

/** Of the numbers of an axis those that have room beside each other, 0 among them. */
const spaced = (ticks: ReadonlyArray<number>, between: number): ReadonlyArray<number> => {
  const widest = Math.max(...ticks.map((value) => widthOf(brief(value))))
  // The last one is inside of the drawing with its whole width, and so nearer to the one before it.
  const every = Math.max(Math.ceil((widest * 1.5) / between), 1)
  const zero = ticks.indexOf(0)
  return ticks.filter((_, index) => (index - zero) % every === 0)
}

/** What each input alone can do to the expected profit, or to the expected clients, on a linear scale: a tornado. */
export const leverDrawing = ({ levers, measure, now }: Levers): Html => {
  const show = measure === "profit" ? shortMoney : people
  const results = levers.flatMap(({ high, low }) => [high.result, low.result])
  const x = linear(Math.min(0, now, ...results), Math.max(0, now, ...results)).nice(4)
  const bottom = top + levers.length * rowHeight
  const ticks = x.ticks(4)
  const labelled = spaced(ticks, x(ticks[1] ?? 0) - x(ticks[0] ?? 0))
  const described = levers.map(
    (lever) =>
      `${nameOf(lever)} at ${valueOf(lever, lever.low.value)}: ${show(lever.low.result)}; at ${valueOf(lever, lever.high.value)}: ${show(lever.high.result)}`
  )
  return drawing(
    bottom + 36,
    `Expected ${measure} where one input alone is changed; as it is: ${show(now)}. ${described.join(". ")}.`,
    [
      ...ticks.map((value) => down(value === 0 ? "zero" : "grid", x(value), top - 4, bottom)),
      ...labelled.map((value) => label("tick", x(value), bottom + 14, brief(value))),
      down("threshold", x(now), 17, bottom),
      label("strong", x(now), 13, `now ${show(now)}`),
      label("tick", 50, bottom + 32, measure === "profit" ? "expected profit" : "expected clients"),
      ...levers.flatMap((lever, row) => {
        const y = top + row * rowHeight
        const { high, low } = lever
        const [less, more] = low.result <= high.result ? [low, high] : [high, low]
        return [
          html`<rect class="behind" x="0" y="${y}" width="100%" height="18"/>`,
          label("strong", 0, y + 14, nameOf(lever), "start"),
          bar("loss", x(less.result), x(Math.min(more.result, now)), y + 21, 16),
          bar("gain", x(Math.max(less.result, now)), x(more.result), y + 21, 16),
          html`<rect class="behind" x="0" y="${y + 39}" width="100%" height="17"/>`,
          label("soft", 0, y + 52, `at ${valueOf(lever, less.value)}: ${show(less.result)}`, "start"),
          label("soft", 100, y + 52, `at ${valueOf(lever, more.value)}: ${show(more.result)}`, "end")
        ]
      })
    ]
  )
}
