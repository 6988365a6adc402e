import { historyField } from "../history/Fragment.ts"
import type { BigDecimal } from "effect"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { fieldNames } from "../../campaign/Fields.ts"
import { showExact } from "../../forecast/Decimal.ts"
import { emailsLeftOf, type Flight } from "../readFlight.ts"
import { forecastCall, goalCall, listCall, type OperationCall, progressCall } from "../../metering/calls.ts"
import type { ApiAddress } from "../../site/ApiAddress.ts"
import type { CalculatorInput, NamedCampaign } from "../readForm.ts"

/** A field of a request and its value as JSON. */
type Member = readonly [name: string, json: string]

const numberText = (value: BigDecimal.BigDecimal): string => showExact(value).replaceAll(",", "")

const object = (members: ReadonlyArray<Member>): string =>
  `{${members.map(([name, json]) => `"${name}": ${json}`).join(", ")}}`

const historyOf = ({ history }: Assumptions): ReadonlyArray<Member> =>
  history === undefined
    ? []
    : [
        [
          historyField,
          `[\n      ${history
            .map(({ name, ...counts }) =>
              object([
                ...(name === undefined ? [] : [["name", JSON.stringify(name)] as const]),
                ...Object.entries(counts).map(([column, count]) => [column, String(count)] as const)
              ])
            )
            .join(",\n      ")}\n    ]`
        ]
      ]

/** A campaign without its history, which a list of campaigns shares. */
const campaignMembers = (assumptions: Assumptions): ReadonlyArray<Member> => [
  ...fieldNames.flatMap((name): ReadonlyArray<Member> => {
    const value = assumptions[name]
    return value === undefined ? [] : [[name, numberText(value)]]
  }),
  ...(assumptions.spread === undefined ? [] : [["spread", JSON.stringify(assumptions.spread)] as const])
]

const forecastMembers = (assumptions: Assumptions): ReadonlyArray<Member> => [
  ...campaignMembers(assumptions),
  ...historyOf(assumptions)
]

const named = ({ assumptions, name }: NamedCampaign): string =>
  object([["name", JSON.stringify(name)], ...campaignMembers(assumptions)])

/** A call of the API, and the fields of its body. */
interface Call {
  readonly operation: OperationCall
  readonly members: ReadonlyArray<Member>
  /** Further fields; the Python client takes the others as a plan. */
  readonly counts?: ReadonlyArray<Member>
}

const countsOf = (counts: Readonly<Record<string, number>>): string =>
  object(Object.entries(counts).map(([name, count]) => [name, String(count)] as const))

/** The fields of a campaign in flight besides its plan. */
const flightMembers = ({ emailsLeft, open, soFar }: Flight, { emails_sent: planned }: Assumptions) => {
  const isOpen = Object.entries(open).filter(([, count]) => count > 0)
  return [
    ["so_far", countsOf(soFar)] as const,
    ...(isOpen.length === 0 ? [] : [["open", countsOf(Object.fromEntries(isOpen))] as const]),
    ...(emailsLeft === emailsLeftOf(planned, soFar) ? [] : [["emails_left", String(emailsLeft)] as const])
  ]
}

const callsFor = ({ first, flight, goal, second }: CalculatorInput): ReadonlyArray<Call> => {
  const forecast: Call = {
    operation: forecastCall,
    members: forecastMembers(first.assumptions)
  }
  const target =
    goal === undefined
      ? []
      : [
          [goal.aim, numberText(goal.target)] as const,
          ...(goal.chance === undefined ? [] : [["chance", numberText(goal.chance)] as const])
        ]
  return [
    forecast,
    ...(goal === undefined
      ? []
      : [
          {
            ...forecast,
            operation: goalCall,
            members: [["goal", object(target)] as const, ...forecast.members]
          }
        ]),
    ...(flight === undefined
      ? []
      : [
          {
            ...forecast,
            operation: progressCall,
            counts: flightMembers(flight, first.assumptions)
          }
        ]),
    ...(second === undefined
      ? []
      : [
          {
            operation: listCall,
            members: [
              ["campaigns", `[\n      ${named(first)},\n      ${named(second)}\n    ]`] as const,
              ...historyOf(first.assumptions)
            ]
          }
        ])
  ]
}

/** A JSON text in single quotes for a shell, with its own single quotes escaped. */
const quoted = (json: string) => `'${json.replaceAll("'", "\\u0027")}'`

const curl = (calls: ReadonlyArray<Call>, { baseUrl, hasDemoKey }: ApiAddress) =>
  calls
    .map(({ counts = [], members, operation: { about, path } }) =>
      [
        `# ${about}\ncurl -s ${baseUrl}${path}`,
        hasDemoKey ? "-H 'x-api-key: demo'" : '-H "x-api-key: $SERVICE_API_KEY"',
        "-H 'content-type: application/json'",
        `-d ${quoted(`{\n${lines([...members, ...counts], '": ', '    "').replace(/,\n$/, "\n")}  }`)}`
      ].join(" \\\n  ")
    )
    .join("\n\n")

const lines = (members: ReadonlyArray<Member>, between: string, indent: string) =>
  members.map(([name, json]) => `${indent}${name}${between}${json},\n`).join("")

const python = (calls: ReadonlyArray<Call>, { baseUrl, hasDemoKey }: ApiAddress) =>
  `from outreach_forecast import Client

client = Client(${hasDemoKey ? 'api_key="demo", ' : ""}base_url="${baseUrl}")${hasDemoKey ? "" : "  # the key is in SERVICE_API_KEY"}
${calls
  .map(({ counts, members, operation: { about, clientMethod: method } }) => {
    const [first, ...others] = members
    const named = others.map(([name, json]) => `, ${name}=${json}`).join("")
    const plan = counts === undefined ? "" : `    {\n${lines(members, '": ', '        "')}    },\n`
    const given =
      method === "forecasts" && first !== undefined
        ? `${first[1]}${named}`
        : `\n${plan}${lines(counts ?? members, "=", "    ")}`
    return `\n# ${about}\nprint(client.${method}(${given}))`
  })
  .join("\n")}`

const typescript = (calls: ReadonlyArray<Call>, { baseUrl, hasDemoKey }: ApiAddress) =>
  `import { Client } from "outreach-forecast"

const client = new Client({ ${hasDemoKey ? 'apiKey: "demo", ' : ""}baseUrl: "${baseUrl}" })${hasDemoKey ? "" : " // the key is in SERVICE_API_KEY"}
${calls
  .map(({ counts = [], members, operation: { about, clientMethod: method } }) => {
    const [first, ...others] = members
    const named = others.map(([name, json]) => `, { ${name}: ${json} }`).join("")
    const given =
      method === "forecasts" && first !== undefined
        ? `${first[1]}${named}`
        : `{\n${lines([...members, ...counts], ": ", "  ").replace(/,\n$/, "\n")}}`
    return `\n// ${about}\nconsole.log(await client.${method}(${given}))`
  })
  .join("\n")}`

export const languages = ["curl", "python", "typescript"] as const
export type Language = (typeof languages)[number]
export const languageNames: { readonly [language in Language]: string } = {
  curl: "curl",
  python: "Python",
  typescript: "TypeScript"
}

/** The API calls for the page's exact numbers. */
export const snippets = (input: CalculatorInput, address: ApiAddress): { readonly [language in Language]: string } => {
  const calls = callsFor(input)
  return { curl: curl(calls, address), python: python(calls, address), typescript: typescript(calls, address) }
}
