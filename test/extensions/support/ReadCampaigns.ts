import { Result, Schema } from "effect"
import type { ListedCampaign } from "../../../src/extensions/lists/Campaigns.ts"
import { readCampaignsCsv } from "../../../src/extensions/lists/CampaignsCsv.ts"
import { readCampaignsJson } from "../../../src/extensions/lists/CampaignsJson.ts"
import { Assumptions } from "../../../src/campaign/Assumptions.ts"

/** The names of the fields of a campaign in a list, as errors list them. */
export const listedFields = ["name", ...Object.keys(Assumptions.fields)].filter((name) => name !== "history").join(", ")

const textOf = Schema.encodeSync(Schema.fromJsonString(Assumptions))

type Read<A = ReadonlyArray<ListedCampaign>> = Result.Result<A, { readonly _tag: string }>

/** The campaigns of a JSON body. */
export const json = (value: unknown) =>
  Result.map(readCampaignsJson(JSON.stringify(value)), ({ campaigns }) => campaigns)

/** The campaigns of a CSV body. */
export const csv = (text: string) => Result.map(readCampaignsCsv(text), ({ campaigns }) => campaigns)

/** The errors, one per line: pointer, code, message. */
export const errorsOf = (read: Read<unknown>): ReadonlyArray<string> => {
  if (Result.isSuccess(read)) return []
  const { failure } = read
  if (!("errors" in failure) || !Array.isArray(failure.errors)) return [failure._tag]
  return failure.errors.map(({ code, message, pointer }) => `${pointer} ${code}: ${message}`)
}

/** The names and exact assumptions that were read. */
export const readAs = (read: Read) =>
  Result.getOrThrow(read).map(({ name, ...assumptions }) => [name, textOf(assumptions)])
