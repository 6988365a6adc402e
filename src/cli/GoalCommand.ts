import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { reachGoal } from "../forecast/outlook/Goals.ts"
import { campaignFlags } from "./CampaignInput.ts"
import { readGoalAndCampaign } from "./GoalInput.ts"
import { goalTable } from "./GoalTable.ts"
import { columns } from "./Layout.ts"
import { json, print } from "./Printing.ts"
import { orUserError } from "./UserFailures.ts"

const aim = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withMetavar("NUMBER"), Flag.optional)

const goalFlags = {
  replies: aim("replies", "Reach this many replies"),
  meetings: aim("meetings", "Reach this many meetings"),
  clients: aim("clients", "Reach this many clients"),
  revenue: aim("revenue", "Reach this revenue"),
  profit: aim("profit", "Reach this profit, revenue less cost"),
  roi_multiple: aim("roi-multiple", "Reach this ROI multiple, revenue over cost"),
  chance: aim("chance", "Reach it with at least this chance, 0.5 to 0.999; without it, on average")
}

/** `goal`: says what each input of a campaign has to become for it to reach a goal, offline. */
export const goalCommand = Command.make(
  "goal",
  { ...goalFlags, ...campaignFlags, json },
  Effect.fnUntraced(function* ({ chance, clients, json, meetings, profit, replies, revenue, roi_multiple, ...given }) {
    const goalGiven = { replies, meetings, clients, revenue, profit, roi_multiple, chance }
    const { campaign, goal } = yield* readGoalAndCampaign(goalGiven, given)
    const answer = reachGoal(goal, campaign)
    yield* print(json, answer, goalTable(goal, campaign, answer, yield* columns))
  }, orUserError)
).pipe(
  Command.withDescription(
    "Compute what each input of a campaign, changed alone, must be to reach a goal, offline, without a key or a credit."
  ),
  Command.withExamples([
    {
      command:
        "outreach-forecast goal --clients 4 --chance 0.8 --emails-sent 5000 --reply-rate 5 --positive-reply-rate 30 --meeting-booking-rate 20 --close-rate 25",
      description: "At least 4 clients in 80 of 100 such campaigns"
    },
    {
      command: "outreach-forecast goal --profit 9000 --file campaign.json",
      description: "A profit of 9,000 on average, for a campaign from a file"
    }
  ])
)
