import { posix } from "node:path"
import { parseSync, Visitor } from "rolldown/utils"

/** The files that know HTTP. */
const http = ["*Http.ts", "*Api.ts", "*Pages.ts", "*Problems.ts", "http/*", "site/*", "mcp/*", "Problems.ts"]

/** What files may not import: own files by their path below src, packages by their name. `*` stands for any text. */
const rules: ReadonlyArray<{
  readonly files: ReadonlyArray<string>
  readonly except: ReadonlyArray<string>
  readonly imports: ReadonlyArray<string>
  readonly why: string
}> = [
  {
    files: ["*"],
    except: [...http, "observability/Telemetry.ts"],
    imports: ["effect/http*", "@effect/platform-node/NodeHttp*", "node:http"],
    why: "only *Http.ts, *Api.ts, *Pages.ts and *Problems.ts know HTTP"
  },
  {
    files: ["*"],
    except: ["*Sql.ts", "database/*"],
    imports: ["effect/sql*", "@effect/sql-*"],
    why: "only *Sql.ts knows SQL"
  },
  {
    files: ["*"],
    except: ["*Sql.ts", "Application.ts"],
    imports: ["*Sql.ts"],
    why: "only Application.ts chooses where a store keeps its data"
  },
  {
    files: [...http, "*Command.ts"],
    except: [],
    imports: ["*Store.ts", "mail/Outbox.ts"],
    why: "handlers and commands call services, not stores"
  },
  {
    files: ["*"],
    except: ["*Command.ts", "CommandLine.ts", "cli/*"],
    imports: ["effect/cli*"],
    why: "only *Command.ts knows the command line"
  },
  {
    files: ["campaign/*", "forecast/*", "input/*", "text/*"],
    except: [],
    imports: ["keys/*", "credits/*", "http/*"],
    why: "a forecast knows neither keys, nor credits, nor HTTP"
  },
  {
    files: ["*"],
    except: [],
    imports: ["@effect/platform-node"],
    why: "all of it loads Redis and more: take the submodule"
  }
]

/** The modules that a file imports or re-exports, those too that it loads later or takes types from. */
const modulesOf = (file: string, source: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const add = ({ source }: { readonly source: unknown }) => {
    if (typeof source === "object" && source !== null && "value" in source) found.push(String(source.value))
  }
  const { errors, program } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add
  }).visit(program)
  return found
}

const matches = (text: string, patterns: ReadonlyArray<string>) =>
  patterns.some((pattern) =>
    new RegExp(
      `^${pattern
        .split("*")
        .map((part) => RegExp.escape(part))
        .join(".*")}$`
    ).test(text)
  )

/** The circles of what leads to each other; each is found once. */
const circlesIn = (arrows: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<ReadonlyArray<string>> => {
  const circles: Array<ReadonlyArray<string>> = []
  const done = new Set<string>()
  const visit = (name: string, path: ReadonlyArray<string>) => {
    if (path.includes(name)) circles.push([...path.slice(path.indexOf(name)), name])
    if (path.includes(name) || done.has(name)) return
    for (const next of arrows.get(name) ?? []) visit(next, [...path, name])
    done.add(name)
  }
  for (const name of arrows.keys()) visit(name, [])
  return circles
}

/** What is wrong with the imports of sources, by their paths below src: a sentence each. */
export const faultsIn = (sources: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const imports = new Map(
    [...sources].map(([file, source]) => [
      file,
      modulesOf(file, source).map((module) =>
        module.startsWith(".") ? posix.join(posix.dirname(file), module) : module
      )
    ])
  )
  const broken = [...imports].flatMap(([file, modules]) =>
    rules
      .filter(({ except, files }) => matches(file, files) && !matches(file, except))
      .flatMap(({ imports, why }) =>
        modules.filter((module) => matches(module, imports)).map((module) => `${file} imports ${module}: ${why}`)
      )
  )
  return [...broken, ...circlesIn(imports).map((circle) => `${circle.join(" → ")} is a circle of files`)]
}
