import { Array, Option } from "effect"
import type { FieldError } from "../input/InvalidInput.ts"
import { type CampaignGiven, isNumber } from "./CampaignInput.ts"
import { flagOf, numberExamples, requiredFields } from "./ExampleValues.ts"
import type { GoalGiven } from "./readGoal.ts"
import { listed, withLine } from "./TypedLine.ts"
import { fieldName, InvalidInvocation } from "./UserFailures.ts"

/** What was given to a command that computes a campaign. Only `goal` has a goal. */
export interface Given {
  readonly goal?: GoalGiven
  readonly campaign: CampaignGiven
}

const subjectOf = ({ pointer }: FieldError): string => {
  const name = fieldName(pointer)
  return name in numberExamples ? flagOf(name) : name
}

/** One sentence with all that is wrong; what is wrong in the same way is said once. */
const sentenceOf = (errors: ReadonlyArray<FieldError>): string => {
  const clauses = Object.entries(Array.groupBy(errors, ({ message }) => message)).map(([message, group]) => {
    const verb = group.length > 1 ? message.replace(/^is /, "are ") : message
    return `${listed(group.map(subjectOf))} ${verb}`
  })
  const sentence = clauses.join("; ").replace(/^the /, "The ")
  return /[.?]$/.test(sentence) ? sentence : `${sentence}.`
}

/** The words to type instead: what was given and is right, and an example for each number that is wrong or missing. */
const wordsOf = (errors: ReadonlyArray<FieldError>, { campaign, goal }: Given): ReadonlyArray<string> => {
  const { evidence, file, ...numbers } = campaign
  const { chance = Option.none<string>(), ...aims } = goal ?? {}
  const wrong = new Set(errors.map(({ pointer }) => pointer.split("/")[1]))
  const given = new Map(
    Object.entries({ ...numbers, ...aims, chance }).flatMap(([name, value]) =>
      Option.isSome(value) && isNumber(value.value) ? [[name, value.value] as const] : []
    )
  )
  const [aim = "clients", ...others] = Object.keys(aims).filter((name) => given.has(name))
  const chosen = goal === undefined ? undefined : others.length === 0 ? aim : "clients"
  const flags = Object.entries(numberExamples).flatMap(([name, example]) => {
    if (name in aims && name !== chosen) return []
    const value = wrong.has(name) ? example : (given.get(name) ?? (name === chosen ? example : undefined))
    return value === undefined ? [] : [flagOf(name), value]
  })
  const from = Option.match(file, { onNone: () => [], onSome: (name) => ["--file", name] })
  const measured = wrong.has("evidence") ? [] : evidence.flatMap((text) => ["--evidence", text])
  return [goal === undefined ? "forecast" : "goal", ...flags, ...measured, ...from]
}

/** Whether only a change of the file can help: no flag goes before what is wrong in it. */
const isOfFile = ({ pointer }: FieldError): boolean => !(fieldName(pointer) in numberExamples)

/** What is wrong with the flags of a campaign as one sentence, and the line to type instead. */
export const campaignProblem = (errors: ReadonlyArray<FieldError>, given: Given): InvalidInvocation => {
  const { evidence, file } = given.campaign
  const sentence = sentenceOf(errors)
  const isOfEvidence = ({ pointer }: FieldError) => evidence.length > 0 && pointer.startsWith("/evidence")
  const fileAtFault =
    Option.isSome(file) &&
    errors.some((error) => isOfFile(error) && !isOfEvidence(error) && error.pointer !== "/the goal")
  const asked = fileAtFault ? `${sentence} Correct ${file.value} first.` : sentence
  return new InvalidInvocation({ message: withLine(asked, wordsOf(errors, given)) })
}

/** A file or a piece of evidence that cannot be read, and the line to type without them. */
export const unreadable = (
  { message }: InvalidInvocation,
  errors: ReadonlyArray<FieldError>,
  given: Given
): InvalidInvocation => {
  const missing = requiredFields
    .filter((name) => !Option.exists(given.campaign[name], isNumber))
    .map((name): FieldError => ({ pointer: `/${name}`, code: "required", message: "is required" }))
  const words = wordsOf([...errors, ...missing], {
    ...given,
    campaign: { ...given.campaign, evidence: [], file: Option.none() }
  })
  return new InvalidInvocation({ message: withLine(`${message}.`, words) })
}
