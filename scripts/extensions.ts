import type { Tables } from "./docTables/Page.ts"
import { account } from "./extensions/account/simulated.ts"
import { firstCall } from "./extensions/guide/documented.ts"
import { agents } from "./extensions/mcp/documented.ts"
import { progress } from "./extensions/progress/documented.ts"
import { pastCampaigns } from "./extensions/tables/documented.ts"
import { goals } from "./extensions/goals/simulated.ts"
import { years } from "./extensions/lists/calibrated.ts"
import { lists } from "./extensions/lists/simulated.ts"
import { privacy } from "./extensions/privacy/simulated.ts"
import { stripe } from "./extensions/stripe/simulated.ts"

// To leave an extension out, delete its lines and its folder.

/** The additions of extensions to the simulation. */
export const simulated = [goals, lists, account, stripe, privacy] as const

/** The tables in pages of the guide that extensions write, by page. */
export const documented: ReadonlyArray<Tables> = [firstCall, agents, progress, pastCampaigns]

/** The measurements that extensions add to `npm run calibrate`, in lines. */
export const calibrated: ReadonlyArray<(campaigns: number, seed: number) => ReadonlyArray<string>> = [years]
