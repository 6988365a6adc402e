import { Predicate, Schema, Struct } from "effect"
import { rateNames } from "../../campaign/Rates.ts"
import { csvLine } from "../../input/Csv.ts"
import type { CampaignForecast, CampaignsSummary } from "./CampaignForecast.ts"
import { campaignFields } from "./Campaigns.ts"
import { stageNames } from "../Campaign.ts"

/** The path of a member of a forecast; its column's name is the joined path. */
type Path = readonly [string, ...ReadonlyArray<string>]

const ofStage = ["expected", "low", "median", "high", "chance_within"]
const ofRate = ["basis", "expected", "low", "high"]

const headline: ReadonlyArray<Path> = [
  ["estimated_replies"],
  ["estimated_positive_replies"],
  ["estimated_meetings"],
  ["estimated_clients"],
  ["estimated_revenue"],
  ["roi_multiple"],
  ["cost_per_reply"],
  ["cost_per_meeting"],
  ["cost_per_client"],
  ["estimated_profit"],
  ["roi_percent"],
  ["estimated_delivered"],
  ["estimated_meetings_held"],
  ["performance_grade"],
  ["risk_flags"],
  ["recommendations"]
]

const outlook: ReadonlyArray<Path> = [
  ["outlook", "basis"],
  ["outlook", "interval_percent"],
  ...rateNames.flatMap((rate) => ofRate.map((figure): Path => ["outlook", "rates", rate, figure])),
  ["outlook", "rates", "reply_rate", "published_percentile"],
  ...stageNames.flatMap((stage) => ofStage.map((figure): Path => ["outlook", stage, figure])),
  ...["revenue", "profit", "roi_multiple"].flatMap((amount) =>
    ["low", "median", "high"].map((figure): Path => ["outlook", amount, figure])
  ),
  ["outlook", "chance_of_no_client"],
  ["outlook", "clients_to_break_even"],
  ["outlook", "chance_to_break_even"],
  ...["low", "median", "high"].map((figure): Path => ["outlook", "chance_alone", "clients", figure]),
  ["outlook", "chance_alone", "chance_of_no_client"],
  ["outlook", "chance_alone", "chance_to_break_even"]
]

const breakEven: ReadonlyArray<Path> = [
  ["break_even", "emails_sent"],
  ...rateNames.map((rate): Path => ["break_even", rate]),
  ["break_even", "average_deal_value"],
  ["break_even", "campaign_cost"]
]

const paths: ReadonlyArray<Path> = [...headline, ...outlook, ...breakEven, ["model_version"]]

const inputNames = Struct.keys(campaignFields)

/** The columns of a sheet: the input of a campaign, its rank, and the fields of its forecast except its notes, which are long. */
export const sheetColumns: ReadonlyArray<string> = [
  "name",
  ...inputNames,
  "rank",
  "chance_better_than_next",
  "chance_equal_to_next",
  ...paths.map((path) => path.join("_"))
]

/** A member of a forecast as a cell; a list of texts is one text. */
const cellAt = (forecast: CampaignForecast, path: Path): string | number | null => {
  const found = path.reduce<unknown>(
    (value, name) => (Predicate.hasProperty(value, name) ? value[name] : null),
    forecast
  )
  if (Array.isArray(found)) return found.join(" ")
  return Predicate.isString(found) || Predicate.isNumber(found) ? found : null
}

/** The first line of a sheet. */
export const sheetHeader = csvLine(sheetColumns)

/** The cells of a forecast. */
export const sheetCells = (forecast: CampaignForecast): ReadonlyArray<string | number | null> =>
  paths.map((path) => cellAt(forecast, path))

const decodeInput = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Number])))
)

/**
 * The cells before those of the forecast, for each campaign in the order of the request: its name, its input from its
 * canonical text, its rank, and the chances against the next one.
 */
export const firstCells = (
  names: ReadonlyArray<string | null>,
  campaigns: ReadonlyArray<string>,
  { neighbours, order }: CampaignsSummary["ranking"]
): ReadonlyArray<ReadonlyArray<string | number | null>> => {
  const ranks = new Map(order.map((reference, rank) => [reference, rank]))
  return names.map((name, index) => {
    const input = decodeInput(campaigns[index] ?? "{}")
    const rank = ranks.get(name ?? index) ?? 0
    const { chance_equal = null, chance_first_is_better = null } = neighbours[rank] ?? {}
    return [name, ...inputNames.map((field) => input[field] ?? null), rank + 1, chance_first_is_better, chance_equal]
  })
}
