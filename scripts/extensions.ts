import { account } from "./extensions/account/simulated.ts"
import { goals } from "./extensions/goals/simulated.ts"
import { lists } from "./extensions/lists/simulated.ts"
import { privacy } from "./extensions/privacy/simulated.ts"
import { stripe } from "./extensions/stripe/simulated.ts"

/** What extensions add to the simulation. To leave an extension out, delete its lines and its folder. */
export const simulated = [goals, lists, account, stripe, privacy] as const
