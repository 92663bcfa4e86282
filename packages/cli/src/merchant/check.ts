import type { CheckFinding, CheckReport } from '@tillkit/client'
import { type CommandLine, json } from '../command-line/command.js'
import type { Ending } from '../command-line/exit-codes.js'
import { InterruptedError, stopSignal, withProgress } from '../command-line/progress.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { forCommand } from '../command-line/words.js'
import { columnsOf, paintFor, printable, wrap } from '../command-line/wrap.js'
import { type MerchantOptions, merchantOf, merchantOptions } from './settings.js'

/** `tillkit check`: whether address, login and keys are right. */
export function addCheck(line: CommandLine, surroundings: Surroundings): void {
  const command = line.add(
    line.root,
    'check',
    {
      summary: 'Says whether address, clock, login and keys are right.',
      does:
        'Says whether the gateway is reached at its address, the clock is right, and login and keys are accepted. ' +
        'No money moves: it asks for orders that do not exist, as configured and with one thing wrong on purpose, ' +
        'and compares how that is refused. Anything that the answers do not prove is "not known", and never a guess.',
      examples: [
        'tillkit check --settings live.env',
        'tillkit check --private-key-file keys/live.pem',
        'tillkit check --json | jq .verdict',
      ],
      ends: {
        done: 'Address, login and every key that was given are right.',
        failed: 'Something is wrong.',
        usage: undefined,
        'not-known': 'Nothing wrong is seen, and the answers do not prove all of it right.',
        interrupted: undefined,
      },
    },
    [json('all lines, and the questions that were asked,'), ...merchantOptions()],
  )
  command.runs(options => runCheck(options, surroundings))
}

const endings: Readonly<Record<CheckReport['verdict'], Ending>> = {
  ok: 'done',
  wrong: 'failed',
  'cannot-tell': 'not-known',
}

async function runCheck(
  options: MerchantOptions & { readonly json?: true },
  surroundings: Surroundings,
): Promise<Ending> {
  const client = (await merchantOf(options, surroundings)).client()
  const signal = stopSignal(surroundings)
  try {
    const report = await withProgress(surroundings, 'Asking the gateway', () => client.check({ signal }))
    if (signal.aborted) throw new InterruptedError('The check moved no money.')
    const lines = report.findings.map(lineOf)
    const { verdict } = report
    const probes = report.probes.map(each => ({ ...each, message: each.message && forCommand(each.message) }))
    if (options.json === true) {
      surroundings.say(`${JSON.stringify({ address: client.baseUrl, verdict, lines, probes })}\n`)
    } else {
      surroundings.say(describe(client.baseUrl, { lines, verdict }, surroundings))
    }
    return endings[verdict]
  } finally {
    await client.close()
  }
}

const subjects: Readonly<Record<CheckFinding['subject'], string>> = {
  baseUrl: 'Address',
  clock: 'Clock',
  endpoint: 'Endpoint',
  login: 'Login',
  controlKey: 'Control key',
  privateKey: 'Private key',
}

const verdicts = { ok: 'ok', wrong: 'wrong', 'cannot-tell': 'not known', 'not-checked': 'not known' } as const

/** One line of the check. */
type Line = ReturnType<typeof lineOf>

const lineOf = ({ subject, verdict, explanation }: CheckFinding) => ({
  subject: subjects[subject],
  verdict: verdicts[verdict],
  explanation: forCommand(explanation),
})

const colours = { ok: 'good', wrong: 'bad', 'not known': 'unsure' } as const

const conclusions: Readonly<Record<CheckReport['verdict'], string>> = {
  ok: 'All that was given is right.',
  wrong: 'Something is wrong: see above.',
  'cannot-tell': 'Nothing wrong was seen, and not all of it is proven.',
}

function describe(
  address: string,
  { lines, verdict }: { readonly lines: readonly Line[]; readonly verdict: CheckReport['verdict'] },
  surroundings: Surroundings,
): string {
  const paint = paintFor(surroundings)
  const columns = columnsOf(surroundings.terminal)
  const indent = columns < 60 ? 4 : 26
  const rows = lines.flatMap(({ subject, verdict: each, explanation }) => {
    const head = `  ${subject.padEnd(13)}${paint(colours[each], indent === 4 ? each : each.padEnd(11))}`
    const [first = '', ...others] = wrap(printable(explanation), columns - indent)
    const below = (indent === 4 ? [first, ...others] : others).map(text => `${' '.repeat(indent)}${text}`)
    return [indent === 4 ? head : `${head}${first}`, ...below]
  })
  return `${address}\n\n${rows.join('\n')}\n\n${conclusions[verdict]}\n`
}
