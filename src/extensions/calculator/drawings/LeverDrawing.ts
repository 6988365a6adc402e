import { brief, figure, people } from "../../../text/Figures.ts"
import { nice, ticks as ticksOf } from "d3-array"
import type { Html } from "../../../text/html.ts"
import { amountsOf } from "../Amounts.ts"
import type { Calculation } from "../Calculation.ts"
import { campaignFields, moreFields } from "../FormFields.ts"
import type { Lever, Levers } from "../Levers.ts"
import { bar, down, label, legend, linear, widthOf } from "./Svg.ts"
import { type Point, pointedDrawing } from "../../../site/pointedDrawing.ts"

const rowHeight = 48
const top = 24

const fields = new Map([...campaignFields, ...moreFields].map((field) => [field.name, field] as const))

const nameOf = ({ name }: Lever): string => fields.get(name)?.label ?? name

const valueOf = ({ name }: Lever, value: number, { briefMoney, money }: ReturnType<typeof amountsOf>): string => {
  const unit = fields.get(name)?.unit
  if (unit === "%") return `${figure(value)}%`
  if (unit === "money") return value < 1 ? money(value) : briefMoney(value)
  return value < 1 ? figure(value) : brief(value)
}

/** The numbers of an axis that fit next to each other, including 0. */
const spaced = (
  ticks: ReadonlyArray<number>,
  between: number,
  show: (value: number) => string
): ReadonlyArray<number> => {
  const widest = Math.max(...ticks.map((value) => widthOf(show(value))))
  // The last one is entirely inside the drawing, and so closer to the one before it.
  const every = Math.max(Math.ceil((widest * 1.5) / between), 1)
  const zero = ticks.indexOf(0)
  return ticks.filter((_, index) => (index - zero) % every === 0)
}

/** The legend of the levers. */
export const leverLegend = ({ measure }: Levers): Html =>
  legend([
    ["loss", measure === "profit" ? "less profit" : "fewer clients"],
    ["gain", "more"]
  ])

/** The texts at the ends of a bar: outside of it if they fit on a phone, otherwise at the edge of the drawing. */
const endLabels = (
  from: number,
  to: number,
  y: number,
  [first, second]: readonly [string, string]
): ReadonlyArray<Html> => {
  const [left, right] = [widthOf(first), widthOf(second)]
  const isRightFree = Math.max(to, from < left ? left + 2 : 0) + right <= 100
  const end = isRightFree ? from : Math.min(from, 98 - right)
  const isLeftFree = end >= left
  return [
    isLeftFree ? label("end over", end, y, first, "end") : label("end over name", 0, y, first, "start"),
    isRightFree
      ? label("end over", isLeftFree ? to : Math.max(to, left + 2), y, second, "start")
      : label("end over", 100, y, second, "end")
  ]
}

/**
 * The effect of each input alone on the expected profit, or on the expected clients, on a linear scale: a tornado
 * chart. The numbers at the ends are shown for the bar under the pointer, and for all bars on paper.
 */
export const leverDrawing = ({
  input,
  levers: { levers, measure, now }
}: Pick<Calculation, "input" | "levers">): Html => {
  const amounts = amountsOf(input.values)
  const [show, showTick] = measure === "profit" ? [amounts.shortMoney, amounts.briefMoney] : [people, brief]
  const results = levers.flatMap(({ high, low }) => [high.result, low.result])
  const [from, to] = nice(Math.min(0, now, ...results), Math.max(0, now, ...results), 4)
  const x = linear(from, to)
  const bottom = top + levers.length * rowHeight
  const ticks = ticksOf(from, to, 4)
  const labelled = spaced(ticks, x(ticks[1] ?? 0) - x(ticks[0] ?? 0), showTick)
  const point = (lever: Lever, row: number): Point => {
    const y = top + row * rowHeight
    const { high, low } = lever
    const [less, more] = low.result <= high.result ? [low, high] : [high, low]
    const ends = [
      `${valueOf(lever, less.value, amounts)}: ${show(less.result)}`,
      `${valueOf(lever, more.value, amounts)}: ${show(more.result)}`
    ] as const
    return {
      area: { from: 0, to: 100, top: y, height: rowHeight - 2 },
      content: [
        label("strong over name", 0, y + 14, nameOf(lever), "start"),
        bar("loss", x(less.result), x(Math.min(more.result, now)), y + 19, 12),
        bar("gain", x(Math.max(less.result, now)), x(more.result), y + 19, 12),
        ...endLabels(x(less.result), x(more.result), y + 43, ends)
      ],
      lines: [`${nameOf(lever)} at ${ends[0]}`, `at ${ends[1]}`]
    }
  }
  return pointedDrawing(bottom + 36, `Average ${measure} if one input alone is changed. As it is: ${show(now)}`, {
    below: [
      ...ticks.map((value) => down(value === 0 ? "zero" : "grid", x(value), top - 4, bottom)),
      ...labelled.map((value) => label("tick", x(value), bottom + 14, showTick(value))),
      down("threshold", x(now), 17, bottom),
      label("strong", x(now), 13, `now ${show(now)}`),
      label("tick", 50, bottom + 32, `average ${measure}`)
    ],
    points: levers.map(point)
  })
}
