import type { Entry, Store, Stored, Written } from '../store/store.js'
import { type Documents, must, Unmet, upTo } from './expectations.js'
import type { StoreElsewhere, StoreProcess } from './processes.js'

/** Fresh ground for documents, and a store on it. */
export interface StoreGround<Transaction = never> {
  readonly store: Store<Transaction>
  /**
   * Opens another store on the same ground, such as a second connection to the same file. The suite closes it. Default: the same
   * store stands for it, and nothing between two stores is checked.
   */
  again?(): Promise<Store<Transaction>>
  /** How another process opens the same ground. Default: stores in this process stand for it. */
  readonly elsewhere?: StoreElsewhere
  /** The merchant's rows. Needed where the store has `commit`. */
  readonly rows?: MerchantRows<Transaction>
  /**
   * Breaks what the stores of this process are working on, so that some calls under way reject: ends their connections, say.
   * Later calls reach the ground again, perhaps after a few that reject. Default: lost connections are not checked.
   */
  disturb?(): Promise<void>
  /** Sets the clock of this machine back by so many milliseconds, as far as the store sees it. Default: not checked. */
  setClockBack?(milliseconds: number): void
  /** Takes the ground away. The suite has closed the stores by then. */
  end?(): Promise<void>
}

/** Rows of the merchant, beside the documents: text under an id, which the table holds once. */
export interface MerchantRows<Transaction> {
  /** Inserts a row. The database refuses a second one with the same id, now or when the transaction is committed. */
  insert(transaction: Transaction, id: string, value: string): Promise<void>
  /** The value that is committed under an id; undefined: there is none. */
  read(id: string): Promise<string | undefined>
}

/** One sentence of the contract. */
export interface StoreCheck {
  /** Third person: "refuses …". */
  readonly name: string
  /** Rejects where a store does not keep it. */
  readonly run: (context: StoreCheckContext) => Promise<void>
}

/** Makes a check. */
export const check = (name: string, run: StoreCheck['run']): StoreCheck => ({ name, run })

/** Makes a check that passes where the engine has no transactions. */
export const commitCheck = (name: string, run: (context: CommitContext) => Promise<void>): StoreCheck =>
  check(name, async context => {
    if (context.commit !== undefined) await run({ ...context, commit: context.commit })
  })

export type CommitContext = StoreCheckContext & { readonly commit: Commit }

/** The work of a commit: it inserts one row of the merchant. */
export const inserting =
  (id: string, value = 'x'): Parameters<Commit>[1] =>
  insert =>
    insert(id, value)

/** The work of a commit without rows. */
export const noWork = async (): Promise<void> => {}

/** The tools that a check works with. Its ground is its own, and empty. */
export interface StoreCheckContext {
  readonly store: Documents
  /** Another store of this process on the same ground; the same one where the ground has no second. */
  readonly another: () => Promise<Documents>
  /** `store` and one in each other process; without processes, several of this one. */
  readonly everywhere: () => Promise<readonly Documents[]>
  /** A process for this check alone, which it may kill; undefined: the ground has none. */
  readonly ownProcess: (() => Promise<{ readonly store: Documents; readonly kill: () => Promise<void> }>) | undefined
  /** `commit` of a store of this process, with rows of the merchant; undefined: the engine has no transactions. */
  readonly commit: Commit | undefined
  /** The merchant's row that is committed under an id. */
  readonly row: (id: string) => Promise<string | undefined>
  readonly disturb: (() => Promise<void>) | undefined
  readonly setClockBack: ((milliseconds: number) => void) | undefined
  /** Lets that many milliseconds pass on the store's clock. */
  readonly pass: (milliseconds: number) => Promise<void>
  /** How many calls there are at once. */
  readonly concurrency: number
  /** How many processes are killed. */
  readonly kills: number
  /** Waits for a call that another one must not hold up. @throws {Unmet} where it takes longer than the patience. */
  readonly within: <Result>(what: string, call: Promise<Result>) => Promise<Result>
}

/** `commit`, with a function that inserts a row of the merchant in the place of a transaction. */
export type Commit = (
  key: string,
  work: (insert: (id: string, value: string) => Promise<void>) => Promise<void>,
  finish: (current: Stored | undefined) => Entry | undefined,
  /** The store that commits: `store`, or `another`. Default: `store`. */
  on?: 'store' | 'another',
  /** The document as the caller knows it. */
  known?: Stored,
) => Promise<Written>

/** Everything that contexts are made from, beside their ground. */
export interface Surroundings extends Pick<StoreCheckContext, 'pass' | 'concurrency' | 'kills'> {
  /** The other processes of the run, started when they are first needed. */
  readonly processes: () => Promise<readonly StoreProcess[]>
  readonly startProcess: () => Promise<StoreProcess>
  /** In milliseconds. */
  readonly patience: number
}

/** Makes the context of one check, and what ends it: closes the stores, takes the ground away. */
export function contextOn<Transaction>(
  ground: StoreGround<Transaction>,
  { processes, startProcess, patience, ...settings }: Surroundings,
): { readonly context: StoreCheckContext; readonly end: () => Promise<void> } {
  const { store, elsewhere, rows } = ground
  const opened: Documents[] = [store]
  const started: StoreProcess[] = []
  const within: StoreCheckContext['within'] = (what, call) => inTime(what, call, patience)
  const open = async (): Promise<Store<Transaction>> => {
    if (ground.again === undefined) return store
    const again = await ground.again()
    opened.push(again)
    return again
  }
  const another = once(open)
  const everywhere = once(async (): Promise<readonly Documents[]> => {
    if (elsewhere === undefined) return [store, await another(), await open()]
    const there = await Promise.all((await processes()).map(each => each.open(elsewhere)))
    opened.push(...there)
    return [store, ...there]
  })
  const commit = store.commit === undefined ? undefined : commitWith(ground, another)

  return {
    context: {
      store,
      another,
      everywhere,
      ownProcess:
        elsewhere &&
        (async () => {
          const own = await startProcess()
          started.push(own)
          return { store: await own.open(elsewhere), kill: () => own.kill() }
        }),
      commit,
      row: async id => rows?.read(id),
      disturb: ground.disturb && (async () => ground.disturb?.()),
      setClockBack: ground.setClockBack && (milliseconds => ground.setClockBack?.(milliseconds)),
      within,
      ...settings,
    },
    async end() {
      await Promise.all(started.map(each => each.kill()))
      await within('"close" at the end of the check', Promise.all(opened.map(each => each.close())))
      await ground.end?.()
    },
  }
}

function commitWith<Transaction>(ground: StoreGround<Transaction>, another: () => Promise<Store<Transaction>>): Commit {
  const { store, rows } = ground
  if (rows === undefined) {
    throw new TypeError(
      'storeConformance needs "rows" for a store with "commit": how the merchant writes and reads a row.',
    )
  }
  return async (key, work, finish, on = 'store', known = undefined) => {
    const chosen = on === 'store' ? store : await another()
    must(chosen.commit !== undefined, 'One store of the ground has "commit", and another has not.')
    return chosen.commit(key, transaction => work((id, value) => rows.insert(transaction, id, value)), finish, known)
  }
}

function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** @throws {Unmet} where a call takes longer than that many milliseconds. */
export async function inTime<Result>(what: string, call: Promise<Result>, patience: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unmet(`${what} was not answered within ${patience} ms.`)), patience)
  })
  try {
    return await Promise.race([call, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits until the store's clock says at least so much. @throws {Unmet} where it does not move on. */
export async function until({ store, pass }: StoreCheckContext, at: number): Promise<void> {
  let now = (await store.read('the clock')).at
  for (const _ of upTo(1000)) {
    if (now >= at) return
    await pass(Math.min(Math.max(at - now, 1), 20))
    now = (await store.read('the clock')).at
  }
  throw new Unmet(`The store's clock says ${now}, and does not come to ${at}.`)
}
