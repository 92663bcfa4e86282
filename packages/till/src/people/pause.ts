import { type Person, readPerson } from '@tillkit/protocol'
import type { PaymentBook } from '../payment/book.js'
import { pauseDecided, pauseOf } from '../rules/people/pause.js'
import type { PauseEntry } from '../state/known.js'
import { tillKey } from '../store/keys.js'

/** Who stopped new money, why, and since when. */
export interface Pause extends Person {
  /** In milliseconds of the store's clock. */
  readonly since: number
}

/** Makes what stops new money of a till, in every process that has its store and name, and lets it come again. */
export function createPause(payments: Pick<PaymentBook, 'place' | 'decide' | 'readKey'>) {
  const key = tillKey(payments.place)
  const decide = async (kind: PauseEntry['kind'], given: Person): Promise<Pause | undefined> => {
    const person = readPerson(kind === 'paused' ? 'till.pause' : 'till.resume', given)
    const { read } = await payments.decide(key, ({ document, at }) => ({
      result: undefined,
      document: pauseDecided(document, kind, { ...person, at }),
    }))
    return shown(pauseOf(read.document))
  }
  const paused = async (): Promise<Pause | undefined> => shown(pauseOf((await payments.readKey(key)).document))
  return {
    pause: async (person: Person): Promise<Pause> => {
      const pause = await decide('paused', person)
      if (pause !== undefined) return pause
      throw new Error('Somebody resumed while new money was stopped. Stop it again if it is to stay so.')
    },
    async resume(person: Person): Promise<void> {
      await decide('resumed', person)
    },
    paused,
  }
}

const shown = (entry: PauseEntry | undefined): Pause | undefined =>
  entry === undefined ? undefined : { who: entry.who, why: entry.why, since: entry.at }
