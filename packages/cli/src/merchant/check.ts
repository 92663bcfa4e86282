import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { connect } from 'node:tls'
import type { CheckFinding, CheckReport } from '@tillkit/client'
import { isLoopbackHost } from '@tillkit/protocol'
import { paintFor } from '../command-line/colours.js'
import { type CommandLine, json } from '../command-line/command.js'
import type { Ending } from '../command-line/exit-codes.js'
import { InterruptedError, stopSignal, withProgress } from '../command-line/progress.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { forCommand } from '../command-line/words.js'
import { columnsOf, printable, wrap } from '../command-line/wrap.js'
import { type MerchantOptions, merchantOf, merchantOptions } from './settings.js'

interface CheckCommandOptions extends MerchantOptions {
  readonly json?: true
}

/** One line of the check. */
interface Line {
  readonly subject: string
  readonly verdict: 'ok' | 'wrong' | 'not known'
  /** Why, and what to do. */
  readonly explanation: string
}

/** `tillkit check`: whether address, login and keys are right. */
export function addCheck(line: CommandLine, surroundings: Surroundings): void {
  const command = line.add(
    line.root,
    'check',
    {
      summary: 'Says whether address, clock, login and keys are right.',
      does: 'Says whether the gateway is reached at its address, the clock is right, and login and keys are accepted. No money moves: it asks for orders that do not exist, as configured and with one thing wrong on purpose, and compares how that is refused. Anything that the answers do not prove is "not known", and never a guess.',
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
  command.runs<CheckCommandOptions>(options => runCheck(options, surroundings))
}

/** How long a name or a handshake is waited for, in milliseconds. */
const patience = 10_000

const endings: Readonly<Record<CheckReport['verdict'], Ending>> = {
  ok: 'done',
  wrong: 'failed',
  'cannot-tell': 'not-known',
}

async function runCheck(options: CheckCommandOptions, surroundings: Surroundings): Promise<Ending> {
  const client = (await merchantOf(options, surroundings)).client()
  const signal = stopSignal(surroundings)
  let what = 'Looking the address up'
  try {
    const url = new URL(client.baseUrl)
    const { before, report } = await withProgress(
      surroundings,
      () => what,
      async () => {
        const dns = await checkName(url)
        const tls = dns.verdict === 'wrong' ? unasked('TLS') : await checkTls(url, signal)
        what = 'Asking the gateway'
        return { before: [dns, tls], report: await client.check({ signal }) }
      },
    )
    if (signal.aborted) throw new InterruptedError('The check moved no money.')
    const lines = [...before, httpLine(report), ...report.findings.map(lineOf)]
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

async function checkName({ hostname }: URL): Promise<Line> {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0)
    return { subject: 'DNS', verdict: 'ok', explanation: 'The address has a number: no name to look up.' }
  const found = await Promise.race([
    lookup(host, { all: true }).catch((error: NodeJS.ErrnoException) => error),
    setTimeout(patience, undefined, { ref: false }),
  ])
  if (found === undefined) {
    return { subject: 'DNS', verdict: 'not known', explanation: 'DNS does not answer on this machine.' }
  }
  if (Array.isArray(found)) {
    const all = found.map(({ address }) => address).join(', ')
    return { subject: 'DNS', verdict: 'ok', explanation: `${host} is ${all}.` }
  }
  return found.code === 'ENOTFOUND'
    ? { subject: 'DNS', verdict: 'wrong', explanation: `DNS does not know ${host}. Check its spelling.` }
    : { subject: 'DNS', verdict: 'not known', explanation: `DNS does not answer on this machine: ${found.code}.` }
}

const unasked = (subject: string): Line => ({
  subject,
  verdict: 'not known',
  explanation: 'Not tried: the line above comes first.',
})

async function checkTls({ protocol, hostname, port }: URL, signal: AbortSignal): Promise<Line> {
  if (protocol !== 'https:') {
    const isHere = isLoopbackHost(hostname)
    const explanation = isHere
      ? 'The address is http on this machine: there is nothing to encrypt.'
      : 'The address is http: everybody on the way reads card data. For tests only.'
    return { subject: 'TLS', verdict: isHere ? 'ok' : 'not known', explanation }
  }
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise(resolve => {
    const socket = connect({
      host,
      port: Number(port === '' ? 443 : port),
      ...(isIP(host) === 0 ? { servername: host } : {}),
    })
    const end = (verdict: Line['verdict'], explanation: string): void => {
      resolve({ subject: 'TLS', verdict, explanation })
      socket.destroy()
    }
    socket.setTimeout(patience, () => end('not known', 'No handshake came about in time.'))
    signal.addEventListener('abort', () => end('not known', 'It was not waited for.'))
    socket.once('secureConnect', () =>
      end('ok', `${socket.getProtocol()}; the certificate is valid until ${socket.getPeerCertificate().valid_to}.`),
    )
    socket.once('error', error => {
      const { code = '' } = error as NodeJS.ErrnoException
      const isOfTls = /CERT|SSL|TLS|SIGNED|SIGNATURE|EPROTO/.test(code)
      end(
        isOfTls ? 'wrong' : 'not known',
        isOfTls ? `${error.message} (${code})` : `No connection came about: ${code}.`,
      )
    })
  })
}

function httpLine({ probes }: CheckReport): Line {
  const status = probes.find(({ httpStatus }) => httpStatus !== undefined)?.httpStatus
  return status === undefined
    ? { subject: 'HTTP', verdict: 'not known', explanation: 'No answer came.' }
    : {
        subject: 'HTTP',
        verdict: 'ok',
        explanation: `It answers: HTTP ${status} to a question that nobody can answer.`,
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

const lineOf = ({ subject, verdict, explanation }: CheckFinding): Line => ({
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
