import * as Figures from "../text/Figures.ts"

const short = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 })
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 })

const hundredths = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** `× 1.47`, or `× < 0.01` for a factor that would be shown as 0. */
export const times = (factor: number): string => (factor < 0.005 ? "× < 0.01" : `× ${hundredths.format(factor)}`)

/** An amount of money: whole, or with 2 decimals below 100,000. A minus is a minus sign. */
export const money = (value: number): string =>
  (Math.abs(value) >= 100_000 ? Figures.integer(value) : Figures.money(value)).replace("-", "−")

/** A number in short form: 12K, 1.5M. */
export const brief = (value: number): string =>
  (Math.abs(value) < 10_000 ? short : compact).format(value).replace("-", "−")

/** The number from which the short form is used where space is limited. */
const long = 10_000_000

/** An amount of money, in short form from ten million on. */
export const shortMoney = (value: number): string => (Math.abs(value) >= long ? brief(value) : money(value))

/** A number of people, in short form from ten million on. */
export const shortPeople = (count: number): string => (count >= long ? brief(count) : Figures.people(count))

/** A number to 4 decimals, in short form from ten million on. */
export const shortFigure = (value: number): string => (Math.abs(value) >= long ? brief(value) : Figures.figure(value))

/** A range of numbers, or the one number that it has. */
export const range = (low: number, high: number, show: (value: number) => string): string =>
  low === high ? show(low) : `${show(low)} to ${show(high)}`

/** A number of clients with its noun. */
export const clients = (count: number): string => `${Figures.people(count)} ${Figures.noun(count, "client")}`

interface ClientRange {
  readonly low: number
  readonly high: number
}

/** A range of clients with its noun. */
export const clientRange = ({ high, low }: ClientRange, show = shortPeople): string =>
  `${range(low, high, show)} ${Figures.noun(high, "client")}`

/** `Expect 0 to 8 clients`. */
export const expectedClients = (clients: ClientRange): string =>
  `Expect ${clients.high === 0 ? "no client" : clientRange(clients)}`
