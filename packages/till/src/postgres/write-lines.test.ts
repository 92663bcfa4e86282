import { describe, expect, it } from 'vitest'
import type { Written } from '../store/store.js'
import { type Task, writeLines } from './write-lines.js'

interface Asked {
  readonly task: Task
  /** The answer to it; undefined as long as it waits. */
  answer?: Written | Error
}

function ask(id: string, after: string | undefined, { key = 'k', body = `{"by":"${id}"}` } = {}): Asked {
  const asked: Asked = {
    task: {
      key,
      after,
      id,
      entry: { body, due: null, list: null },
      bytes: body.length,
      resolve: written => {
        asked.answer = written
      },
      reject: error => {
        asked.answer = error
      },
    },
  }
  return asked
}

const written = (version: number): Written => ({ kind: 'written', version, at: 7 })

describe('writeLines', () => {
  it('sends the first of each key, and the next one after its answer', () => {
    const lines = writeLines()
    const [first, second, other] = [ask('a', undefined), ask('b', 'a'), ask('c', undefined, { key: 'other' })]
    expect([first, second, other].map(({ task }) => lines.join(task))).toEqual([true, false, true])
    lines.sent(first.task)
    expect(lines.answer(first.task, written(1))).toBe(second.task)
    expect(first.answer).toEqual(written(1))
    lines.sent(second.task)
    expect(lines.answer(second.task, written(2))).toBeUndefined()
    expect(lines.join(ask('d', 'b').task)).toBe(true)
  })

  it('answers those behind that have lost by it, with the document that was written', () => {
    const lines = writeLines()
    const [first, loser, next] = [ask('a', 'x'), ask('b', 'x'), ask('c', 'a')]
    for (const { task } of [first, loser, next]) lines.join(task)
    lines.sent(first.task)
    expect(lines.answer(first.task, written(5))).toBe(next.task)
    const current = { key: 'k', version: 5, writeId: 'a', body: '{"by":"a"}' }
    expect(loser.answer).toEqual({ kind: 'conflict', current, at: 7 })
    expect(next.answer).toBeUndefined()
  })

  it('answers those that lost before the winner, so that they line up before it does', async () => {
    const lines = writeLines()
    const order: string[] = []
    const asks = ['a', 'b', 'c'].map(id => ({ ...ask(id, undefined).task, resolve: () => order.push(id) }))
    for (const task of asks) lines.join(task)
    const [first] = asks
    if (first === undefined) throw new Error('There is no first.')
    lines.sent(first)
    lines.answer(first, written(1))
    await new Promise(resolve => setImmediate(resolve))
    expect(order).toEqual(['b', 'c', 'a'])
  })

  it('answers the same write, called twice, alike', () => {
    const lines = writeLines()
    const [first, again] = [ask('a', undefined), ask('a', undefined)]
    for (const { task } of [first, again]) lines.join(task)
    lines.sent(first.task)
    expect(lines.answer(first.task, written(1))).toBeUndefined()
    expect(again.answer).toEqual(written(1))
  })

  it('answers with what a conflict showed, where that leaves no other answer', () => {
    const lines = writeLines()
    const current = { key: 'k', version: 6, writeId: 'c', body: '{}' }
    const [first, old, own, next] = [ask('a', 'x'), ask('b', 'y'), ask('c', 'b'), ask('d', 'c')]
    for (const { task } of [first, old, own, next]) lines.join(task)
    lines.sent(first.task)
    expect(lines.answer(first.task, { kind: 'conflict', current, at: 7 })).toBe(next.task)
    expect(old.answer).toEqual({ kind: 'conflict', current, at: 7 })
    // The row shows this very write, which was sent before.
    expect(own.answer).toEqual(written(6))
    expect(next.answer).toBeUndefined()
  })

  it('sends what is to create a document that was found to be absent', () => {
    const lines = writeLines()
    const [first, creates, changes] = [ask('a', 'x'), ask('b', undefined), ask('c', 'x')]
    for (const { task } of [first, creates, changes]) lines.join(task)
    lines.sent(first.task)
    expect(lines.answer(first.task, { kind: 'conflict', current: undefined, at: 7 })).toBe(creates.task)
    expect(changes.answer).toEqual({ kind: 'conflict', current: undefined, at: 7 })
  })

  it('asks the server for a write that was called after the one before was sent: the answer may be older than the call', () => {
    const lines = writeLines()
    const [first, later] = [ask('a', undefined), ask('b', undefined)]
    lines.join(first.task)
    lines.sent(first.task)
    lines.join(later.task)
    expect(lines.answer(first.task, written(1))).toBe(later.task)
    expect(later.answer).toBeUndefined()
  })

  it('sends the next one after a failure, which says nothing about it', () => {
    const lines = writeLines()
    const [first, next] = [ask('a', undefined), ask('b', undefined)]
    for (const { task } of [first, next]) lines.join(task)
    lines.sent(first.task)
    const error = new Error('lost')
    expect(lines.fail(first.task, error)).toBe(next.task)
    expect([first.answer, next.answer]).toEqual([error, undefined])
  })
})
