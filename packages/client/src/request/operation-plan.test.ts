import { defaultProfile, defineProfile, operation, operations } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { operationPlan } from './operation-plan.js'

describe('operationPlan', () => {
  it('says what is known of a field, by the wire name and the length that the profile gives it', () => {
    const profile = defineProfile({
      fieldNames: { SALE: { clientOrderId: 'order-id' } },
      maxLengths: { clientOrderId: 9 },
    })
    expect(operationPlan(operations.sale, profile).field('clientOrderId')).toMatchObject({
      name: 'order-id',
      maxLength: 9,
    })
    expect(operationPlan(operations.sale, defaultProfile).field('clientOrderId')?.name).toBe('client_orderid')
  })

  it('knows the operation by its name here, one of the user’s own by the name it has', () => {
    const own = operation({ ...operations.sale, name: 'SALE_V4' })
    expect([operations.sale, own].map(row => operationPlan(row, defaultProfile).name)).toEqual(['sale', 'SALE_V4'])
  })

  it('has nothing for fields that no request has', () => {
    const { field } = operationPlan(operations.sale, defaultProfile)
    expect(['constructor', '__proto__', 'amuont'].map(name => field(name))).toEqual([undefined, undefined, undefined])
  })

  it('is worked out once for what cannot change, and anew for what can', () => {
    expect(operationPlan(operations.sale, defaultProfile)).toBe(operationPlan(operations.sale, defaultProfile))
    const changing = { ...operations.sale, wireNames: { email: 'mail' } }
    const before = operationPlan(changing, defaultProfile).field('email')
    changing.wireNames = { email: 'e-mail' }
    expect([before, operationPlan(changing, defaultProfile).field('email')]).toMatchObject([
      { name: 'mail' },
      { name: 'e-mail' },
    ])
  })
})
