import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { sayWarnings } from './warnings.js'

it('says warnings of our packages in the words of a terminal, and leaves others to Node.js', () => {
  const process = new EventEmitter()
  const [usual, said]: [string[], string[]] = [[], []]
  process.on('warning', ({ message }: Error) => usual.push(message))
  sayWarnings(process as NodeJS.Process, text => said.push(text))
  const message =
    'A request was answered in a form that the gateway does not use: HTML. Is "baseUrl" (http://127.0.0.1:9) right? Run till.check(). This is said at most once a minute.'
  process.emit('warning', Object.assign(new Error(message), { name: 'TillkitWarning' }))
  process.emit('warning', Object.assign(new Error('old'), { name: 'DeprecationWarning' }))
  expect(said).toEqual([
    'tillkit: A request was answered in a form that the gateway does not use: HTML. Is the address (http://127.0.0.1:9) right? "tillkit check" says it.\n',
  ])
  expect(usual).toEqual(['old'])
})
