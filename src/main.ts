#!/usr/bin/env -S node --max-semi-space-size=32
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Runtime } from "effect"
import { Command } from "effect/cli"
import packageJson from "../package.json" with { type: "json" }
import { compareCommand } from "./cli/CompareCommand.ts"
import { configCommand } from "./cli/ConfigCommand.ts"
import { creditsCommand } from "./cli/CreditsCommand.ts"
import { databaseCommand } from "./cli/DatabaseCommand.ts"
import { forecastCommand } from "./cli/ForecastCommand.ts"
import { goalCommand } from "./cli/GoalCommand.ts"
import { keysCommand } from "./cli/KeysCommand.ts"
import { ledgerCommand } from "./cli/LedgerCommand.ts"
import { mailsCommand } from "./cli/MailsCommand.ts"
import { ordersCommand } from "./cli/OrdersCommand.ts"
import { serveCommand } from "./cli/ServeCommand.ts"

const isServing = process.argv.slice(2).find((word) => !word.startsWith("-")) === "serve"

/** A server that was stopped by a signal exits with 0; any other command that was interrupted does not. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  Runtime.defaultTeardown(exit, (code) => onExit(code === 130 && isServing ? 0 : code))

Command.make("outreach-forecast").pipe(
  Command.withDescription(packageJson.description),
  Command.withSubcommands([
    serveCommand,
    forecastCommand,
    goalCommand,
    compareCommand,
    keysCommand,
    creditsCommand,
    ledgerCommand,
    ordersCommand,
    mailsCommand,
    databaseCommand,
    configCommand
  ]),
  Command.run({ version: packageJson.version }),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ teardown })
)
