const members = ".point, [role=toolbar] :is(a, button)"

/** The points of a drawing or the items of a toolbar, which are one stop of the Tab key together. */
const membersAround = (member: Element): ReadonlyArray<HTMLElement | SVGElement> => [
  ...(member.closest("svg, [role=toolbar]")?.querySelectorAll<HTMLElement | SVGElement>(members) ?? [])
]

const memberAt = (target: EventTarget | null): HTMLElement | SVGElement | undefined =>
  (target instanceof HTMLElement || target instanceof SVGElement) && target.matches(members) ? target : undefined

const steps: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowLeft: (index) => index - 1,
  ArrowUp: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  ArrowDown: (index) => index + 1,
  Home: () => 0,
  End: (_, last) => last
}

/** Lets the arrow keys move between the points of a drawing, or between the items of a toolbar. */
export const addPoints = () => {
  document.addEventListener("keydown", (event) => {
    const member = memberAt(event.target)
    if (member === undefined) return
    if (event.key === "Escape") member.blur()
    const all = membersAround(member)
    const next = steps[event.key]?.(all.indexOf(member), all.length - 1)
    if (next === undefined) return
    event.preventDefault()
    all[next]?.focus()
  })
  document.addEventListener("focusin", ({ target }) => {
    const member = memberAt(target)
    if (member === undefined) return
    for (const other of membersAround(member)) other.tabIndex = other === member ? 0 : -1
  })
}
