import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { forCommand } from './words.js'

/** Where messages are made that a command may show. */
const folders = [
  'client/src/errors',
  'client/src/reply',
  'client/src/request',
  'till/src/payment',
  'till/src/people',
  'till/src/rules',
  'till/src/said',
  'till/src/state',
  'till/src/store',
]

/** What only a program does, and no command. */
const ofPrograms = /^(?:till\.(?:accounts|adopt|pay|resume)|client\.send)\b/

/** The sentences in the source files of a folder, without comments and without what is put into them. */
function textsIn(folder: string): readonly string[] {
  const path = join('packages', folder)
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(each => /(?<!\.test)\.ts$/.test(each))
  return files.flatMap(file => {
    const lines = readFileSync(join(path, file), 'utf8').split('\n')
    const code = lines.filter(line => !/^\s*(?:\/?\*|\/\/)|\bfrom '/.test(line)).join('\n')
    const texts = [...code.matchAll(/(['`])((?:\\.|(?!\1).)*)\1/g)].map(([, , text = '']) => text)
    return texts.map(text => text.replace(/\$\{[^}]*\}/g, '…')).filter(text => text.includes(' '))
  })
}

it('leaves no call of a program in a message for a terminal, whatever package it comes from', () => {
  const calls = folders
    .flatMap(textsIn)
    .flatMap(text => forCommand(text).match(/(?:\b(?:client|till)\.\w|"attemptId"|defineProfile).*/g) ?? [])
  expect(calls.filter(call => !ofPrograms.test(call))).toEqual([])
})

it.each([
  [
    '"attemptId" "return:2:cup \\"7\\"" was sent before and was accepted. Nothing was sent now.',
    '--key "cup \\"7\\"" was sent before and was accepted. Nothing was sent now.',
  ],
  [
    'return with key "cup" was sent before, over 3.00. Use a new key for another part.',
    'return with --key "cup" was sent before, over 3.00. Use a new --key for another part.',
  ],
  [
    'Where yours takes more, say so with defineProfile({ maxLengths }) or operationMaxLengths.',
    'Where yours takes more, say so as "maxLengths" or "operationMaxLengths" in the file of --profile.',
  ],
  [
    'say so with defineProfile({ statusEchoesSerialNumber: false }).',
    'say so as "statusEchoesSerialNumber": false in the file of --profile.',
  ],
  [
    'The amount must not be zero. Leave --amount and "currency" out where the whole amount is meant.',
    'The amount must not be zero. Leave --amount and --key out where the whole amount is meant.',
  ],
])('calls what a program writes by its option: %s', (message, said) => {
  expect(forCommand(message)).toBe(said)
})
