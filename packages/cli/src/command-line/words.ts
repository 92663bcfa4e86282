/**
 * Messages of the packages, which speak to those who write programs, in the words of those who type commands.
 *
 * @module
 */
import type { Option } from 'commander'
import { inShell } from './wrap.js'

/**
 * From top to bottom: longer sentences come before the words in them. A key of a part stands in the id of its request, behind the number of
 * the try.
 */
const phrases: readonly (readonly [ofPackage: string | RegExp, ofCommand: string])[] = [
  [/(?:client|till)\.check\(\) says/g, '"tillkit check" says'],
  ['till.ask(reference) asks, and so does the work in the background.', 'the work in the background of the shop asks.'],
  ['Run till.check().', '"tillkit check" says it.'],
  [/Check "login", "(control|private)Key" and the endpoint, and that/g, 'Check login, $1 key and endpoint, and that'],
  ['"baseUrl" is the address they are for', 'they are for this address'],
  ['by their wire name in "extra"', 'by their wire name, as --field extra.<name>=<value>'],
  ['hand over a dispatcher that knows it, or set', 'set'],
  ['Call till.resume once that is over.', 'It goes on once a program of the shop calls till.resume.'],
  [/"attemptId" "\w+:\d+:((?:[^"\\]|\\.)*)"/g, '--key "$1"'],
  [': a part is sent with an amount and "attemptId".', '. A part is sent with --amount and --key.'],
  [/\bwith key (?=")/g, 'with --key '],
  [/Use a new (?:"attemptId" for every new request|key for another part)\./g, 'Use a new --key for another part.'],
  ['Name a part.', 'Name a part with --amount and --key.'],
  [', by the login of your session', ''],
  [/ This is said at most once a minute[^.]*\./g, ''],
  [
    'with defineProfile({ maxLengths }) or operationMaxLengths',
    'as "maxLengths" or "operationMaxLengths" in the file of --profile',
  ],
  [
    'say with defineProfile({ callbackPorts }) what yours does',
    'say what yours does as "callbackPorts" in the file of --profile',
  ],
  ['a profile made by defineProfile with formReplies: true', '"formReplies": true in the file of --profile'],
  ['see "stages" of defineProfile', 'see "stages" of the file of --profile'],
  [/(?::| with) defineProfile\(\{ (\w+)(: (?:\{[^}]*\}|\w+))? \}\)/g, ' as "$1"$2 in the file of --profile'],
  // A part is asked for with --amount; its currency is that of the payment.
  ['Leave --amount and "currency" out', 'Leave --amount and --key out'],
  [/\b(with|without) "checked(?:: true)?"/g, '$1 --checked'],
  ['"serverCallbackUrl"', 'TILLKIT_SERVER_CALLBACK_URL'],
  ['"baseUrl"', 'the address'],
  ['"controlKey"', 'control key'],
  ['"privateKey"', 'private key'],
  ['byRequestSn', '--serial-number'],
  [/^till\.decide: /g, ''],
]

/** A message without what only a program can do. */
export const forCommand = (message: string): string =>
  phrases.reduce((text, [ofPackage, ofCommand]) => text.replaceAll(ofPackage, ofCommand), message)

/**
 * A message in which each option stands for what a program calls it.
 *
 * @param calledBy What a program calls an option, by the option's name here; undefined where it is to stay.
 */
export const inOptions = (
  message: string,
  options: readonly Option[],
  calledBy: (name: string) => string | undefined,
): string =>
  options.reduce((text, each) => {
    const word = calledBy(each.attributeName())
    return word === undefined ? text : text.replace(new RegExp(`${word}(?!_)`, 'g'), each.long ?? word)
  }, message)

/** Options as they were given, for the next command about the same thing; how long to wait is no part of that. */
export const asGiven = (options: readonly Option[], given: object): string =>
  options
    .map(each => {
      const value: unknown = Reflect.get(given, each.attributeName())
      return typeof value === 'string' && each.long !== '--timeout' ? ` ${each.long} ${inShell(value)}` : ''
    })
    .join('')
