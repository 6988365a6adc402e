import { Record, Result } from "effect"
import {
  type CalculatedForm,
  type CalculatedList,
  formCalculation,
  listCalculation,
  type PageRequest,
  sentValues
} from "../../../src/extensions/calculator/calculatedPages.ts"
import {
  calculatorPage,
  embedMessage,
  embedPage,
  reportPage
} from "../../../src/extensions/calculator/CalculatorPages.ts"
import { linkOf } from "../../../src/extensions/calculator/Link.ts"
import { listPage } from "../../../src/extensions/calculator/ListPages.ts"
import { addressOf, isWhole, type NumbersPath } from "../../../src/extensions/calculator/Presets.ts"
import { listForecasting } from "../../../src/extensions/lists/listForecasting.ts"
import { isLong } from "../../../src/http/RequestBody.ts"
import { decodeFields } from "../../../src/input/decodeFields.ts"
import type { InvalidInput } from "../../../src/input/InvalidInput.ts"
import { decodeJson } from "../../../src/input/parseJson.ts"
import { readFields } from "../../../src/input/readFields.ts"
import { SubKeyInput } from "../../../src/extensions/subkeys/SubKeysApi.ts"
import { Owner } from "../../../src/keys/ApiKey.ts"
import { type McpMessage, messageReading, readMessages } from "../../../src/extensions/mcp/McpMessage.ts"
import { readArguments, readComparison } from "../../../src/extensions/mcp/ToolArguments.ts"
import { operations } from "../../../src/extensions/mcp/paidOperations.ts"
import { suggestedAddress } from "../../../src/site/FormHttp.ts"
import { Html, html } from "../../../src/text/html.ts"
import type { Computation } from "../../../src/workers/Computation.ts"
import { byPart, least, type Piece, piecesOf, suspicious, timed } from "./measure.ts"
import type { BodyKind, BodyText } from "./oddBodies.ts"

/** The repetitions of a piece that seems long: processor time is counted in steps of milliseconds. */
const repetitions = 5

/** Measures what the event loop does in one piece. */
const onLoop = (work: () => unknown): Piece => {
  const repeated = () => {
    for (let times = 0; times < repetitions; times++) work()
  }
  const [, millis] = timed(work)
  return { millis: millis < suspicious ? millis : least(() => timed(repeated)[1] / repetitions), place: "loop" }
}

const address = { baseUrl: "http://localhost:3000", hasDemoKey: true }

const isPage = (path: string): path is NumbersPath => ["/", "/report", "/embed", "/list"].includes(path)

const show = (path: NumbersPath, reading: CalculatedForm | CalculatedList) => {
  const { texts, values } = reading
  const views = texts && Record.map(texts, (text) => new Html(text))
  if (!("said" in reading)) return listPage(reading, views?.["main"], `${address.baseUrl}${addressOf(values, "/list")}`)
  if (path === "/" || (path === "/report" && views === undefined)) {
    return calculatorPage({ reading, views, address, status: views === undefined ? 400 : 200 })
  }
  const main = views?.["main"] ?? html``
  if (path === "/report") return reportPage("Forecast", main)
  return views === undefined
    ? embedMessage("Errors", 400, { path: linkOf(values), text: "Correct them" })
    : embedPage(main)
}

/** The pieces of the loop before and after a computation, and those of its thread. */
const computed = <I, A, E>(
  { decodeResult, encodedSteps, encodeInput, ...computation }: Computation<I, A, E>,
  input: I,
  then: (result: A) => unknown
): ReadonlyArray<Piece> => {
  const encoded = encodeInput(input)
  const steps = encodedSteps(encoded)
  let taken = steps.next()
  while (taken.done !== true) taken = steps.next()
  const { value } = taken
  return [
    onLoop(() => encodeInput(input)),
    {
      millis: least(() => piecesOf({ ...computation, decodeResult, encodedSteps, encodeInput }, input)),
      place: "thread"
    },
    onLoop(() => Result.map(decodeResult(value), then))
  ]
}

const ofPage = (path: NumbersPath, text: string): ReadonlyArray<Piece> => {
  const calculated = (form: PageRequest["form"]) => {
    const request = { path, form, address, day: "1 January 2026" }
    return path === "/list"
      ? computed(listCalculation, request, (reading) => show(path, reading))
      : computed(formCalculation, request, (reading) => show(path, reading))
  }
  if (isLong(text)) return calculated({ text })
  const read = () =>
    Result.map(sentValues(path, { text }), (values) => ({
      values,
      isWhole: isWhole(values),
      link: linkOf(values, path)
    }))
  const [result] = timed(read)
  const first = onLoop(read)
  // A form that fits into an address is calculated once the browser follows the redirect there.
  return Result.isFailure(result) ? [first] : [first, ...calculated({ values: result.success.values })]
}

const decodeOwner = decodeFields(Owner)

const readForm = (text: string) =>
  Result.flatMap(readFields(text), (fields) => {
    const values = Object.fromEntries(fields)
    suggestedAddress(values["email"] ?? "")
    return decodeOwner(values)
  })

type Read = (json: unknown) => Result.Result<unknown, InvalidInput>

const readers = new Map<string, Read>([
  ...Object.values(operations).map(({ path, read }): [string, Read] => [path, read]),
  ["/api/v1/access-requests", decodeOwner],
  ["/api/v1/orders", decodeOwner],
  ["/api/v1/sub-keys", decodeFields(SubKeyInput)]
])

/** The work of the event loop to refuse a request. */
const worded = <A, E>(result: Result.Result<A, E>) => JSON.stringify(Result.isFailure(result) ? result.failure : {})

/** The pieces of a list until it has been decoded. */
const ofList = (text: string, type: "json" | "csv"): ReadonlyArray<Piece> => {
  const input = { text, type, answer: "json" } as const
  const { encodedSteps, encodeInput, steps } = listForecasting
  const bytes = Buffer.from(text)
  const first = encodedSteps(encodeInput(input)).next()
  return [
    onLoop(() => encodeInput({ ...input, text: bytes.toString() })),
    { millis: least(() => timed(() => steps(input).next())[1]), place: "thread" },
    onLoop(() =>
      first.done === true ? worded(listForecasting.decodeResult(first.value)) : listForecasting.decodeStep(first.value)
    )
  ]
}

const argumentsOf = ({ params, toolArguments }: McpMessage) => {
  const operation = Object.values(operations).find(({ tool }) => tool?.name === params["name"])
  return operation === undefined
    ? worded(readComparison(toolArguments))
    : worded(readArguments<unknown>(toolArguments, operation.read))
}

const ofMessages = (text: string): ReadonlyArray<Piece> => {
  const input = { text, hasLists: true }
  const read = () => Result.map(readMessages(input), ({ messages }) => messages)
  if (isLong(text)) return computed(messageReading, input, ({ messages }) => messages.map(argumentsOf))
  // They are answered one after another, with the loop given back in between.
  const messages = Result.getOrElse(read(), () => [])
  return [onLoop(() => worded(read())), ...messages.map((message) => onLoop(() => argumentsOf(message)))]
}

/** The pieces of reading a body: the one that takes most of what it may. */
const longest: { readonly [kind in BodyKind]: (body: BodyText) => ReadonlyArray<Piece> } = {
  form: ({ path, text }) => (isPage(path) ? ofPage(path, text) : [onLoop(() => worded(readForm(text)))]),
  json: ({ path, text }) => {
    const read = readers.get(path)
    return read === undefined ? ofList(text, "json") : [onLoop(() => worded(decodeJson<unknown>(text, read)))]
  },
  csv: ({ text }) => ofList(text, "csv"),
  mcp: ({ text }) => ofMessages(text)
}

/** The piece of reading a body that takes most of what it may. */
export const longestOfBody =
  (kind: BodyKind) =>
  (body: BodyText): Piece | undefined =>
    byPart(longest[kind](body))[0]
