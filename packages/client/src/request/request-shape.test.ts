import { defaultProfile, operations } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { operationPlan } from './operation-plan.js'
import { requestShapes } from './request-shape.js'

const { controlField, field } = operationPlan(operations.sale, defaultProfile)
const shapesOfSale = () => requestShapes({ name: 'sale', row: operations.sale, controlField, field })

describe('requestShapes', () => {
  it('gives the same shape for the same names in the same order, and another one otherwise', () => {
    const shapeOf = shapesOfSale()
    const first = shapeOf(['amount', 'currency'])
    expect(shapeOf(['amount', 'currency'])).toBe(first)
    const others = [['currency', 'amount'], ['amount', 'email'], ['amount']]
    expect(others.map(names => shapeOf(names)?.names)).toEqual(others)
    expect(shapeOf(['amount', 'currency'])).toBe(first)
  })

  it('remembers eight, and forgets the oldest: requests of ever new shapes take no more memory', () => {
    const shapeOf = shapesOfSale()
    const lists = ['amount', 'currency', 'email', 'city', 'state', 'zipCode', 'country', 'phone'].map(name => [name])
    const shapes = lists.map(shapeOf)
    expect(lists.map((names, at) => shapeOf(names) === shapes[at])).not.toContain(false)
    const ninth = shapeOf(['ssn'])
    expect(shapeOf(['currency'])).toBe(shapes[1])
    expect(shapeOf(['amount'])).not.toBe(shapes[0])
    expect(shapeOf(['ssn'])).toBe(ninth)
    expect(shapeOf(['currency'])).not.toBe(shapes[1])
  })

  it('has none where a field is not known', () => {
    expect(shapesOfSale()(['amount', 'amuont'])).toBeUndefined()
  })

  it('says which fields are ids, and which requests have amounts besides "amount"', () => {
    const shapeOf = shapesOfSale()
    expect(shapeOf(['clientOrderId', 'amount', 'byRequestSn'])?.ids).toEqual(['clientOrderId', 'byRequestSn'])
    const several = ['amountFrom', 'amountTo', 'enumerateAmounts', 'amount', 'amountSequence']
    expect(several.map(name => shapeOf([name])?.hasSeveralAmounts)).toEqual([true, true, true, false, false])
  })

  it('has the control value at the end of the fields that are signed with it', () => {
    const shape = shapesOfSale()(['clientOrderId', 'amount'])
    expect(shape?.withControl.fields.map(({ name }) => name)).toEqual(['client_orderid', 'amount', 'control'])
    expect(shape?.withControl.names).toEqual(['clientOrderId', 'amount', undefined])
  })
})
