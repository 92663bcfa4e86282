import { request } from 'undici'
import { afterEach, expect, it } from 'vitest'
import { createExtendedGateway } from '../src/gateway.js'
import type { FakeGateway } from '../src/index.js'

let gateway: FakeGateway
afterEach(() => gateway.close())

/** A gateway whose path `/stream` writes one piece each time `next` is called, and says in `left` when its reader went. */
function streaming() {
  let leave = (): void => undefined
  const left = new Promise<void>(resolve => {
    leave = resolve
  })
  const heard = { left, next(): void {} }
  async function* stream(gone: AbortSignal) {
    gone.addEventListener('abort', () => {
      leave()
      heard.next()
    })
    for (let number = 1; !gone.aborted; number += 1) {
      yield `piece ${number}`
      await new Promise<void>(resolve => {
        heard.next = resolve
      })
    }
  }
  gateway = createExtendedGateway(
    {},
    { has: path => path === '/stream', answer: async () => ({ status: 200, headers: { 'x-kind': 'stream' }, stream }) },
  )
  return heard
}

it.each(['over HTTP', 'through the dispatcher'])('is sent piece by piece, %s, until its reader leaves', async way => {
  const heard = streaming()
  const { origin } = await gateway.listen()
  const options = way === 'over HTTP' ? {} : { dispatcher: gateway.dispatcher }
  const { headers, body } = await request(`${origin}/stream`, options)
  expect(headers['x-kind']).toBe('stream')
  const pieces = body[Symbol.asyncIterator]()
  const piece = async () => String((await pieces.next()).value)
  expect(await piece()).toBe('piece 1')
  heard.next()
  expect(await piece()).toBe('piece 2')
  body.on('error', () => undefined).destroy()
  await heard.left
})

it('ends when the gateway closes, which does not wait for its reader', async () => {
  const heard = streaming()
  const { origin } = await gateway.listen()
  const { body } = await request(`${origin}/stream`)
  body.on('error', () => undefined)
  await gateway.close()
  await heard.left
})
