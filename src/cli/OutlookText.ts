import { ofHundred } from "../forecast/outlook/OfHundred.ts"
import type { Outlook } from "../forecast/outlook/Outlook.ts"
import { bar } from "./Bars.ts"
import { figure } from "./Figures.ts"
import { grid, wrap } from "./Layout.ts"

const clients = (count: number): string => `${figure(count)} client${count === 1 ? "" : "s"}`

const breakEven = ({ chance_to_break_even: chance, clients_to_break_even: needed }: Outlook): ReadonlyArray<string> => {
  if (chance === null) return []
  if (needed === null) return ["At a deal value of 0 no number of clients covers the cost."]
  if (needed === 0) return ["There is no cost to cover."]
  return [`In ${ofHundred(chance)} such campaigns: the revenue covers the cost, which takes ${clients(needed)}.`]
}

/** Sentences that say how often such campaigns bring how many clients, none, and what they cost. */
export const chanceSentences = (outlook: Outlook): ReadonlyArray<string> => {
  const { chance_of_no_client: noClient, clients: stage } = outlook
  const reach = stage.low === stage.high ? clients(stage.low) : `${figure(stage.low)} to ${clients(stage.high)}`
  const isCertain = noClient === 1
  return [
    ...(isCertain || stage.high === 0 ? [] : [`In ${ofHundred(stage.chance_within)} such campaigns: ${reach}.`]),
    isCertain
      ? "However often such a campaign is sent, it brings no clients: one of its rates is 0 %."
      : `In ${ofHundred(noClient)} such campaigns: no clients.`,
    ...breakEven(outlook)
  ]
}

/** What the range of a forecast leaves out. */
export const limits = ({ basis }: Outlook): string =>
  basis === "evidence"
    ? "The ranges allow for chance, and for how little the measured rates are known; the other rates count as exact. Lists differ and rates move between campaigns, so real results vary more."
    : "The ranges allow for chance alone: the rates count as exact. Lists differ and rates move between campaigns, so real results vary more."

const spoken = (name: string) => name.replaceAll("_", " ")

/** With evidence, a table of what the uncertainty about the clients comes from, and what to measure next. */
export const uncertaintyTable = ({ uncertainty_from: shares }: Outlook, width: number): ReadonlyArray<string> => {
  if (shares === undefined || shares === null) return []
  const sources = Object.entries(shares).toSorted(([, a], [, b]) => b - a)
  const next = sources.find(([name, share]) => name !== "chance" && share > 0)?.[0]
  return [
    "",
    ...grid(
      [
        { title: "Uncertainty from", align: "left", cells: sources.map(([name]) => spoken(name)) },
        {
          title: "share",
          align: "right",
          cells: sources.map(([, share]) => `${figure(Math.round(share * 1000) / 10)} %`)
        }
      ],
      width,
      { title: "of 100 %", least: 12, draw: (row, room) => bar(sources[row]?.[1] ?? 0, Math.min(room, 50)) }
    ),
    ...(next === undefined
      ? []
      : ["", ...wrap(`Measure the ${spoken(next)} next: of the rates measured, it leaves the most open.`, width)])
  ]
}
