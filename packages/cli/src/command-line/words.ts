/**
 * Messages of the packages, which speak to those who write programs, in the words of those who type commands.
 *
 * @module
 */
import type { Option } from 'commander'

/** From top to bottom: longer sentences come before the words in them. */
const phrases: readonly (readonly [ofPackage: string | RegExp, ofCommand: string])[] = [
  ['client.check() says', 'tillkit check says'],
  [/Check "login", "(control|private)Key" and the endpoint, and that/g, 'Check login, $1 key and endpoint, and that'],
  ['"baseUrl" is the address they are for', 'they are for this address'],
  ['by their wire name in "extra"', 'by their wire name, as --field extra.<name>=<value>'],
  [/[,;] (?:as )?client\.resolve\(error\.attempt\) does\./g, '.'],
  ['hand over a dispatcher that knows it, or set', 'set'],
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
