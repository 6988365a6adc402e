import { type Campaign, type RateName } from "./Campaign.ts"
import { toDouble } from "./Exact.ts"
import { posterior } from "./Posterior.ts"
import { ratesUpTo } from "./Stages.ts"

/** Shares of a variance that sum to 1: of chance, and of each rate that has evidence. */
export type UncertaintyShares = { readonly chance: number } & { readonly [rate in RateName]?: number }
