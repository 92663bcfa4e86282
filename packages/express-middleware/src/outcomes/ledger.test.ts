import { defaultProfile, memoryStore } from '@tillkit/protocol'
import { expect, it, onTestFinished } from 'vitest'
import { statusReply } from '../../test/callback-desk.js'
import { keepPayment, paymentsIn } from '../../test/kept-payments.js'
import { systemClock, systemWait } from '../config/time.js'
import { createLedger } from './ledger.js'

it('warns of no leak while many wait for tellings of others', async () => {
  const warnings: string[] = []
  const heard = (warning: Error) => void warnings.push(warning.name)
  process.on('warning', heard)
  onTestFinished(() => void process.off('warning', heard))
  const store = memoryStore()
  let release = (): void => undefined
  const isReleased = new Promise<void>(resolve => {
    release = resolve
  })
  const warn = () => undefined
  const options = { lease: 30_000, profile: defaultProfile, clock: systemClock, wait: systemWait, warn }
  const ledger = createLedger({ store, onOutcome: () => isReleased, ...options })
  const places = Array.from({ length: 12 }, (_, index) => ({
    payments: paymentsIn(store),
    clientOrderId: `o-${index}`,
  }))
  for (const { clientOrderId, payments } of places)
    await keepPayment(payments, [{ clientOrderId }], [statusReply({ clientOrderId })])
  const tellings = places.map(place => ledger.tell(place))
  await new Promise(resolve => setImmediate(resolve))
  const others = places.map(place => ledger.tell(place))
  await new Promise(resolve => setImmediate(resolve))
  release()
  await Promise.all([...tellings, ...others])
  expect(warnings).not.toContain('MaxListenersExceededWarning')
})
