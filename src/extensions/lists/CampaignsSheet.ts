import { Predicate, SchemaAST, Struct } from "effect"
import { csvLine } from "../../input/Csv.ts"
import { toDouble } from "../../forecast/Decimal.ts"
import { CampaignForecast, type CampaignsSummary } from "./CampaignForecast.ts"
import { campaignFields, type ListedCampaign } from "./Campaigns.ts"

/** The path of a member of a forecast; its column's name is the joined path. */
type Path = ReadonlyArray<string>

/** The paths of the numbers and texts in a value of a type, and of its lists. */
const pathsIn = (type: SchemaAST.AST, path: Path): ReadonlyArray<Path> => {
  const object = SchemaAST.isUnion(type) ? type.types.find(SchemaAST.isObjects) : type
  return object !== undefined && SchemaAST.isObjects(object)
    ? object.propertySignatures.flatMap(({ name, type }) => pathsIn(type, [...path, String(name)]))
    : [path]
}

const ofForecast = pathsIn(CampaignForecast.ast, []).filter(([name]) => name !== "name" && name !== "calculation_notes")

/** The figures of the whole campaign first, then those of its parts. */
const paths = ofForecast.toSorted((a, b) => Number(a.length > 1) - Number(b.length > 1))

const inputNames = Struct.keys(campaignFields)

/** The columns of a sheet: the input of a campaign, its rank, and its forecast without notes, which are long. */
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

/** The cells of the input of a campaign; a default is an empty cell, like a field that was left out. */
const inputCells = (campaign: ListedCampaign): ReadonlyArray<string | number | null> =>
  inputNames.map((name) => {
    const value = campaign[name]
    if (value === undefined || value === "published") return null
    return Predicate.isString(value) ? value : toDouble(value)
  })

/**
 * The cells before those of the forecast, for each campaign in the order of the request: its name, its input, its rank,
 * and the chances against the next one.
 */
export const firstCells = (
  campaigns: ReadonlyArray<ListedCampaign>,
  { neighbours, order }: CampaignsSummary["ranking"]
): ReadonlyArray<ReadonlyArray<string | number | null>> => {
  const ranks = new Map(order.map((reference, rank) => [reference, rank]))
  return campaigns.map((campaign, index) => {
    const { name = null } = campaign
    const rank = ranks.get(name ?? index) ?? 0
    const { chance_equal = null, chance_first_is_better = null } = neighbours[rank] ?? {}
    return [name, ...inputCells(campaign), rank + 1, chance_first_is_better, chance_equal]
  })
}
