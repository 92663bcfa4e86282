import { createHash } from 'node:crypto'

/** The worlds that were met, in the order in which they came. */
export interface Seen {
  readonly size: number
  /**
   * Takes a world in.
   *
   * @param before The place of the world that it was met from, and which of the moves there leads to it.
   * @returns The place of the world; undefined: it was met before.
   */
  add(text: string, before: Came): number | undefined
  /** Says how a world was met first. */
  cameTo(place: number): Came
}

export interface Came {
  readonly place: number
  readonly move: number
}

/** Numbers of 32 bits in a hash: two of some million worlds hardly have the same 128 bits. */
const words = 4

/**
 * Remembers worlds by a hash of their texts. A set of strings would take all memory from some million worlds on, and holds 16 million at most:
 * here each world takes 45 bytes at most.
 */
export function createSeen(): Seen {
  let capacity = 1 << 10
  /** By open addressing: the place of a world, from 1 on; 0: nothing is there. */
  let slots = new Uint32Array(capacity * 2)
  let hashes = new Uint32Array(capacity * words)
  let befores = new Uint32Array(capacity)
  let moves = new Uint16Array(capacity)
  let size = 0
  const hash = new Uint32Array(words)

  const slotOf = (from: Uint32Array, at: number): number => {
    let slot = (from[at] ?? 0) % slots.length
    for (let place = slots[slot] ?? 0; place !== 0; place = slots[slot] ?? 0) {
      if (isSame(hashes, (place - 1) * words, from, at)) break
      slot = (slot + 1) % slots.length
    }
    return slot
  }

  const grow = (): void => {
    capacity = Math.ceil(capacity * 1.5)
    hashes = longer(hashes, capacity * words)
    befores = longer(befores, capacity)
    moves = longer(moves, capacity)
    slots = new Uint32Array(capacity * 2)
    for (let place = 0; place < size; place += 1) slots[slotOf(hashes, place * words)] = place + 1
  }

  return {
    get size() {
      return size
    },
    add(text, before) {
      const digest = createHash('sha256').update(text).digest()
      for (let nth = 0; nth < words; nth += 1) hash[nth] = digest.readUInt32LE(nth * 4)
      if (slots[slotOf(hash, 0)] !== 0) return undefined
      if (size === capacity) grow()
      hashes.set(hash, size * words)
      befores[size] = before.place
      moves[size] = before.move
      slots[slotOf(hash, 0)] = size + 1
      size += 1
      return size - 1
    },
    cameTo: place => ({ place: befores[place] ?? 0, move: moves[place] ?? 0 }),
  }
}

function isSame(one: Uint32Array, at: number, other: Uint32Array, from: number): boolean {
  for (let nth = 0; nth < words; nth += 1) if (one[at + nth] !== other[from + nth]) return false
  return true
}

function longer<List extends Uint16Array | Uint32Array>(list: List, length: number): List {
  const after = new (list.constructor as new (length: number) => List)(length)
  after.set(list)
  return after
}
