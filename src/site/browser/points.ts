const pointsOf = (point: Element): ReadonlyArray<SVGGElement> => [
  ...(point.closest("svg")?.querySelectorAll<SVGGElement>(".point") ?? [])
]

const steps: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowLeft: (index) => index - 1,
  ArrowUp: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  ArrowDown: (index) => index + 1,
  Home: () => 0,
  End: (_, last) => last
}

/** Lets the arrow keys move between the points of a drawing, which is one stop of the Tab key. */
export const addPoints = () => {
  document.addEventListener("keydown", (event) => {
    const point = event.target
    if (!(point instanceof SVGGElement) || !point.matches(".point")) return
    if (event.key === "Escape") point.blur()
    const points = pointsOf(point)
    const next = steps[event.key]?.(points.indexOf(point), points.length - 1)
    if (next === undefined) return
    event.preventDefault()
    points[next]?.focus()
  })
  document.addEventListener("focusin", ({ target: point }) => {
    if (!(point instanceof SVGGElement) || !point.matches(".point")) return
    for (const other of pointsOf(point)) other.tabIndex = other === point ? 0 : -1
  })
}
