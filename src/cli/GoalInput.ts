import { Effect, type FileSystem, Result, type Stdio } from "effect"
import type { Assumptions } from "../forecast/Assumptions.ts"
import { type Goal, isMoney } from "../forecast/outlook/GoalTarget.ts"
import type { FieldError } from "../input/InvalidInput.ts"
import { type CampaignGiven, readCampaign } from "./CampaignInput.ts"
import { campaignProblem, unreadable } from "./CampaignProblem.ts"
import { type GoalGiven, readGoal } from "./readGoal.ts"
import type { InvalidInvocation } from "./UserFailures.ts"

/** What a goal in money needs of its campaign. */
const moneyErrors = (goal: Goal, { average_deal_value: dealValue, campaign_cost: cost }: Assumptions) => {
  const errors: Array<FieldError> = []
  if (!isMoney(goal.aim)) return errors
  const required = (pointer: string) =>
    errors.push({ pointer, code: "required", message: "is required for a goal in money" })
  if (dealValue === undefined) required("/average_deal_value")
  if (goal.aim !== "revenue" && cost === undefined) required("/campaign_cost")
  if (goal.aim === "roi_multiple" && cost?.value === 0n) {
    errors.push({
      pointer: "/campaign_cost",
      code: "out_of_range",
      message: "must be above 0, as the ROI is a multiple of it"
    })
  }
  return errors
}

/** The goal is what a message calls all that says what is to be reached. */
const ofGoal = (error: FieldError): FieldError => (error.pointer === "" ? { ...error, pointer: "/the goal" } : error)

/**
 * The goal and the campaign of a command's flags. Fails with InvalidInvocation, which says in a sentence all that is wrong
 * with both, and what to type instead.
 */
export const readGoalAndCampaign: (
  goalGiven: GoalGiven,
  given: CampaignGiven
) => Effect.Effect<
  { readonly goal: Goal; readonly campaign: Assumptions },
  InvalidInvocation,
  FileSystem.FileSystem | Stdio.Stdio
> = Effect.fnUntraced(function* (goalGiven, given) {
  const goal = readGoal(goalGiven)
  const goalErrors = Result.isFailure(goal) ? goal.failure.errors.map(ofGoal) : []
  const campaign = yield* readCampaign(given).pipe(
    Effect.map(Result.succeed),
    Effect.catchTags({
      InvalidInput: ({ errors }) => Effect.succeed(Result.fail(errors)),
      InvalidInvocation: (failure) => Effect.fail(unreadable(failure, goalErrors, { goal: goalGiven, campaign: given }))
    })
  )
  const errors = [
    ...goalErrors,
    ...(Result.isFailure(campaign) ? campaign.failure : []),
    ...(Result.isSuccess(goal) && Result.isSuccess(campaign) ? moneyErrors(goal.success, campaign.success) : [])
  ]
  if (Result.isFailure(goal) || Result.isFailure(campaign) || errors.length > 0) {
    return yield* campaignProblem(errors, { goal: goalGiven, campaign: given })
  }
  return { goal: goal.success, campaign: campaign.success }
})
