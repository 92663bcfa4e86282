import { describe, expect, it } from 'vitest'
import { createRandomWords } from '../state/seed.js'
import { createQueue } from './queue.js'

/** Takes everything out. */
function drain<Entry extends { at: number }>(queue: ReturnType<typeof createQueue<Entry>>): Entry[] {
  const taken: Entry[] = []
  for (let first = queue.first(); first !== undefined; first = queue.first()) {
    taken.push(first)
    queue.remove(first)
  }
  return taken
}

describe('createQueue', () => {
  it('gives the earliest first, and of equal times the first that was added', () => {
    const words = createRandomWords('queue')
    const entries = Array.from({ length: 500 }, (_, name) => ({ at: words() % 40, name }))
    const queue = createQueue<(typeof entries)[number]>()
    for (const entry of entries) queue.add(entry)
    const removed = entries.filter(({ name }) => name % 3 === 0)
    for (const entry of removed) queue.remove(entry)
    const expected = entries
      .filter(entry => !removed.includes(entry))
      .toSorted((a, b) => a.at - b.at || a.name - b.name)
    expect(drain(queue)).toEqual(expected)
    expect(queue.first()).toBeUndefined()
  })

  it('forgets everything', () => {
    const queue = createQueue()
    queue.add({ at: 1 })
    queue.clear()
    expect(queue.first()).toBeUndefined()
    queue.add({ at: 2 })
    expect(queue.first()).toEqual({ at: 2 })
  })
})
