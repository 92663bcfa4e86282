import { Command, type CommanderError, Help, Option } from 'commander'
import { UsageError } from '../gateway/errors.js'
import { type Ending, exitCodes } from './exit-codes.js'
import type { Surroundings } from './surroundings.js'
import { columnsOf, printable } from './wrap.js'

/** What a command is, for its help. */
interface CommandDescription {
  /** One line, for the list of commands. */
  readonly summary: string
  readonly does: string
  /** What stands after its name. Default: its arguments and options. */
  readonly usage?: string
  readonly examples: readonly string[]
  /** What each of its exit codes says; `undefined`: the words of the table. */
  readonly ends: { readonly [Each in Ending]?: string | undefined }
}

/** An option whose flags are known to the compiler, so that the type of what was given follows from the options of a command. */
interface KnownOption<Flags extends string> extends Option {
  readonly knownFlags?: Flags
}

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name
type NameOf<Flags> = Flags extends `${string}--${infer Long} ${string}`
  ? Camel<Long>
  : Flags extends `${string}--${infer Long}`
    ? Camel<Long>
    : never
type ValueOf<Flags> = Flags extends `${string}…`
  ? readonly string[]
  : Flags extends `${string}<${string}`
    ? string
    : true

/** The values that were given of some options, such as `OptionsOf<ReturnType<typeof storeOptions>>`. */
export type OptionsOf<List extends readonly KnownOption<string>[]> = {
  readonly [Flags in NonNullable<List[number]['knownFlags']> as NameOf<Flags>]?: ValueOf<Flags>
}

/** A command that is being put together, with what it ends as. */
export interface CommandLine {
  readonly root: Command
  /** How the command that was asked for ended; undefined until it has. */
  ending(): Ending | undefined
  /** Adds a command. @param usage Its name, and what it takes, such as `call <operation>`. */
  add<Each extends KnownOption<string>>(
    under: Command,
    usage: string,
    description: CommandDescription,
    options: readonly Each[],
  ): AddedCommand<OptionsOf<readonly Each[]>>
  group(usage: string, description: Pick<CommandDescription, 'summary' | 'does'>): Command
}

interface AddedCommand<Options> {
  /** @param run Says how it ended. */
  runs(run: (options: Options, ...words: (string | undefined)[]) => Promise<Ending>): void
}

/** An option. @param flags As its help shows it, such as `-p, --port <number>`. */
export const option = <const Flags extends string>(flags: Flags, means: string): KnownOption<Flags> =>
  new Option(flags, means)

/** An option that may be repeated: a list of what was given. */
export const repeated = <const Flags extends string>(flags: Flags, means: string): KnownOption<`${Flags}…`> =>
  new Option(flags, means).argParser((value: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    value,
  ])

const help = { flags: '-h, --help', means: 'Prints this.' } as const

/** The option that every command has. */
export const json = (prints: string) => option('--json', `Prints ${prints} as JSON, for programs.`)

/** Makes the command without any commands in it. */
export function commandLine({
  version,
  say,
  terminal,
}: Pick<Surroundings, 'version' | 'say' | 'terminal'>): CommandLine {
  let ended: Ending | undefined
  const settle = <Each extends Command>(command: Each, description?: Partial<CommandDescription>): Each => {
    command
      .helpOption(help.flags, help.means)
      .helpCommand(false)
      .allowExcessArguments(false)
      .configureOutput({ writeOut: say, writeErr: () => undefined })
      .configureHelp({
        helpWidth: Math.min(columnsOf(terminal), 100),
        formatHelp: formatter(description),
        subcommandTerm: each => each.name(),
      })
      .exitOverride(error => {
        throw mistake(error, command)
      })
    return command
  }
  const root = settle(new Command('tillkit'))
    .usage('<command> [options]')
    .version(version, '-v, --version', 'Prints the version.')
  return {
    root,
    ending: () => ended,
    add(under, usage, description, options) {
      const command = settle(under.command(usage), description)
        .description(description.does)
        .summary(description.summary)
      // Arguments first, as people type them.
      command.usage(description.usage ?? `${usage.replace(/^\S+ ?/, '')} [options]`.trim())
      for (const each of options) command.addOption(each)
      return {
        runs(run) {
          command.action(async (...given: unknown[]) => {
            // What commander hands over: the arguments, the options, and the command itself.
            const words = given.slice(0, -2) as (string | undefined)[]
            ended = await run(command.opts(), ...words)
          })
        },
      }
    },
    group: (usage, { summary, does }) =>
      settle(root.command(usage))
        .description(`${does} "tillkit ${usage} <command> --help" has the options of each, and examples.`)
        .summary(summary)
        .usage('<command> [options]'),
  }
}

/** Writes the help of a command: examples above its options, exit codes at its end. */
function formatter({ examples = [], ends = {} }: Partial<CommandDescription> = {}): Help['formatHelp'] {
  return (command, helper) => {
    const usual = Help.prototype.formatHelp.call(helper, command, helper).trimEnd()
    const listed = Object.entries(exitCodes).filter(([ending]) => Object.hasOwn(ends, ending))
    const codes = listed.map(([ending, { code, means }]) =>
      helper.formatItem(String(code), 3, ends[ending as Ending] ?? means, helper),
    )
    return [
      usual,
      ...(examples.length === 0
        ? []
        : ['', 'Examples:', ...examples.map(each => `  ${each.replaceAll('\n', '\n    ')}`)]),
      ...(codes.length === 0 ? [] : ['', 'Exit codes:', ...codes]),
      '',
    ].join('\n')
  }
}

/** Help and version are no mistakes, and are passed on. */
function mistake(error: CommanderError, command: Command): Error {
  if (error.code === 'commander.helpDisplayed' || error.code === 'commander.version') return error
  const name = nameOf(command)
  if (error.code === 'commander.help') return new UsageError(`Which command?\n\n${command.helpInformation().trimEnd()}`)
  if (error.code === 'commander.excessArguments') {
    const taken = command.registeredArguments.length
    const extra = command.args.slice(taken).map(word => JSON.stringify(printable(word)))
    const takes = taken === 0 ? 'no argument' : taken === 1 ? 'one argument' : `${taken} arguments`
    return new UsageError(`${name} takes ${takes}, so what is ${extra.join(', ')}? See ${name} --help.`)
  }
  const [said = '', near = ''] = error.message.replace(/^error: /, '').split('\n')
  const sentence = `${said.slice(0, 1).toUpperCase()}${said.slice(1).replace(/\.$/, '')}.`
  const hint = /^\(Did you mean (.*)\?\)$/.exec(near)?.[1]
  return new UsageError(`${sentence}${hint === undefined ? '' : ` Did you mean ${hint}?`} See ${name} --help.`, {
    cause: error,
  })
}

const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`
